import VitrineBase
import VitrineHTTP
import VitrineImaging

/// From bytes to pixels, and what becomes of bytes that are none.
extension LoadEngine {
    func decode(
        _ step: Graph.StepID, _ request: ImageRequest, _ input: StepResult,
        _ options: DecodeOptions, _ priority: LoadPriority,
        _ reservation: DecodeBudget.Reservation
    ) async {
        let bytes = input.bytes
        var outcome = await decoded(input, request, options, priority, reservation)
        if bytes.wasStored, outcome.isDamaged, !Task.isCancelled {
            // Once: what comes now is the server's word.
            await bytes.drop()
            switch await fetchAgain(step, request, bytes.permit, priority) {
            case .success(let new):
                let reservation = configuration.decodeBudget.reservation(priority: priority)
                state.withLock { $0.runs[step]?.reservation = reservation }
                outcome = await decoded(
                    StepResult(bytes: new), request, options, priority, reservation)
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
        _ input: StepResult, _ request: ImageRequest, _ options: DecodeOptions,
        _ priority: LoadPriority, _ reservation: DecodeBudget.Reservation
    ) async -> Outcome {
        defer { reservation.release() }
        let bytes = input.bytes
        let startedAt = time.uptime
        do {
            let info = try await decodePool.run(priority: priority) {
                try ImageInfo(probing: bytes.data, limits: options.limits)
            }
            try await reservation.take(DecodeBudget.bytes(toDecode: info, options: options))
            let (image, checksum) = try await decodePool.run(priority: priority) { cancellation in
                let image = try RasterImage(
                    decoding: bytes.data, options: options, cancellation: cancellation)
                return (image, bytes.data.withUnsafeBytes { Checksum.of($0) })
            }
            reservation.release()
            var result = input
            result.image = image
            result.decodeTime = elapsed(since: startedAt)
            if image.isComplete {
                if let keep = bytes.keep {  // only now is it known to be an image
                    let isKept = await bytes.permit.write(keep)
                    result.bytes.keeping =
                        isKept ? .kept : bytes.permit.isValid ? .failed : .notWanted
                }
                if bytes.isCacheable, request.cachePolicy.writesCache, bytes.permit.isValid {
                    note(checksum, of: request, isChange: bytes.hasReplaced.withLock { $0 })
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
            return Outcome(
                result: .failure(ImageError(reason, url: request.url, http: bytes.http)),
                isDamaged: error.saysThatBytesAreBad)
        } catch {
            return Outcome(
                result: .failure(ImageError(.cancelled, url: request.url, http: bytes.http)))
        }
    }

    /// Gets the bytes of a step anew, when those that were stored turned out to be damaged.
    private func fetchAgain(
        _ step: Graph.StepID, _ request: ImageRequest, _ permit: KeepPermit,
        _ priority: LoadPriority
    ) async -> Result<FetchedBytes, ImageError> {
        let turn = downloadGate.ticket(priority: priority)
        state.withLock { $0.runs[step]?.turn = turn }
        let startedAt = time.uptime
        do throws(ImageError) {
            let listener = TransferListener(engine: self, step: step)
            var bytes = try await fetcher.fetch(
                request, permit: permit, turn: turn, listener: listener)
            bytes.duration = elapsed(since: startedAt)
            return .success(bytes)
        } catch {
            return .failure(error)
        }
    }
}
