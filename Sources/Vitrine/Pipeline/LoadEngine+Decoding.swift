import VitrineBase
import VitrineHTTP
import VitrineImaging

/// From bytes to pixels, and what becomes of bytes that are none.
extension LoadEngine {
    func decode(
        _ step: Graph.StepID, _ plan: PlannedLoad, _ input: StepResult,
        _ options: DecodeOptions, _ run: Run, _ reservation: DecodeBudget.Reservation
    ) async {
        let bytes = input.bytes
        var outcome = await decoded(step, input, plan, options, run, reservation)
        if bytes.wasStored, outcome.isDamaged, !Task.isCancelled {
            // Once: what comes now is the server's word.
            await bytes.drop()
            switch await fetchAgain(step, plan, bytes.permit, run) {
            case .success(let new):
                let reservation = configuration.decodeBudget.reservation(
                    priority: run.priority.value)
                run.reservation = reservation
                outcome = await decoded(
                    step, StepResult(bytes: new), plan, options, run, reservation)
            case .failure(let error):
                // The part that can be read is better than nothing.
                if case .failure = outcome.result { outcome.result = .failure(error) }
            }
        }
        switch outcome.result {
        case .success(let result): finished(step, result)
        case .failure(let error): failed(step, error)
        }
    }

    private struct Outcome {
        var result: Result<StepResult, ImageError>
        /// Whether the bytes themselves are bad.
        var isDamaged = false
    }

    /// Decodes, and stores what has come over the network if it is a whole image; forgets it otherwise.
    private func decoded(
        _ step: Graph.StepID, _ input: StepResult, _ plan: PlannedLoad, _ options: DecodeOptions,
        _ run: Run, _ reservation: DecodeBudget.Reservation
    ) async -> Outcome {
        defer { reservation.release() }
        let bytes = input.bytes
        let url = plan.request.url
        let startedAt = time.uptime
        let probe = probe(url) { [weak self] in self?.loads(under: step) ?? [] }
        let span = probe?.begin(.decode)
        do {
            let info = try await decodePool.run(at: run.priority) {
                try ImageInfo(probing: bytes.data, limits: options.limits)
            }
            try await reservation.take(DecodeBudget.bytes(toDecode: info, options: options))
            let (image, checksum) = try await decodePool.run(at: run.priority) { cancellation in
                let image = try RasterImage(
                    decoding: bytes.data, options: options, cancellation: cancellation)
                return (image, bytes.data.withUnsafeBytes { Checksum.of($0) })
            }
            reservation.release()
            var result = input
            result.image = image
            result.bytes.checksum = checksum
            result.decodeTime = elapsed(since: startedAt)
            span?.end(LoadEvent.Facts(bytes: bytes.data.count, pixelSize: image.pixelSize))
            if image.isComplete {
                if let keep = bytes.keep {  // only now is it known to be an image
                    let span = probe?.begin(.store)
                    let isKept = await bytes.permit.write(keep)
                    let isWanted = bytes.permit.isValid && !bytes.outcome.withLock { $0.isOutdated }
                    result.bytes.keeping = isKept ? .kept : isWanted ? .failed : .notWanted
                    span?.end(LoadEvent.Facts(bytes: isKept ? bytes.data.count : nil))
                }
                if bytes.isCacheable, plan.request.cachePolicy.writesCache, bytes.permit.isValid {
                    note(result.bytes, of: plan, isChange: bytes.outcome.withLock { $0.isChange })
                }
            } else if bytes.source == .network {
                await bytes.drop()
            }
            return Outcome(result: .success(result), isDamaged: !image.isComplete)
        } catch let error as ImagingError where error != .cancelled {
            if bytes.source == .network { await bytes.drop() }
            var reason = ImageError.Reason.imaging(error)
            if error.saysThatBytesAreBad, let coding = bytes.http?.contentCoding {
                reason = .transport(
                    .badResponse(
                        reason: "its content is encoded as \(coding), which was not asked for"))
            }
            let failure = ImageError(reason, url: url, http: bytes.http)
            span?.end(failure)
            return Outcome(result: .failure(failure), isDamaged: error.saysThatBytesAreBad)
        } catch {
            let failure = ImageError(.cancelled, url: url, http: bytes.http)
            span?.end(failure)
            return Outcome(result: .failure(failure))
        }
    }

    /// Gets the bytes of a step anew, when those that were stored turned out to be damaged.
    private func fetchAgain(
        _ step: Graph.StepID, _ plan: PlannedLoad, _ permit: KeepPermit, _ run: Run
    ) async -> Result<FetchedBytes, ImageError> {
        let url = plan.request.url
        let turn = run.newTurn { downloadGate.ticket(priority: $0, lane: url.lane) }
        let probe = probe(url) { [weak self] in self?.loads(under: step) ?? [] }
        let startedAt = time.uptime
        do throws(ImageError) {
            let listener = TransferListener(engine: self, step: step)
            var bytes = try await fetcher.fetch(
                plan.request, as: plan.standing, permit: permit, turn: turn,
                priority: run.priority, log: FetchLog(time: time, probe: probe),
                listener: listener)
            bytes.duration = elapsed(since: startedAt)
            return .success(bytes)
        } catch {
            return .failure(error)
        }
    }
}
