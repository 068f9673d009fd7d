import FoundationEssentials

/// Writes animations, frame by frame.
enum AnimationEncoder {
    /// Options and size have been checked.
    static func encode(
        _ source: any FrameSource, as format: EncodingFormat, options: EncodeOptions
    ) throws(ImagingError) -> Data {
        do {
            let durations = source.durations
            if format == .gif {
                var writer = GIFWriter(
                    size: source.posterFrame.size, loopCount: source.loopCount, options: options)
                try source.forEachFrame { try writer.add($0, duration: durations[$1]) }
                return try writer.finish()
            }
            let writer = try WebPWriter(
                size: source.posterFrame.size, loopCount: source.loopCount, options: options)
            try source.forEachFrame { try writer.add($0, duration: durations[$1]) }
            return try writer.finish()
        } catch let error as ImagingError {
            throw error
        } catch {
            throw .encodingFailed(format: format, reason: "\(error)")
        }
    }
}

extension Duration {
    /// Whole units of so many milliseconds, rounded down; 0 if negative.
    func count(ofMilliseconds unit: Int64) -> Int {
        let (seconds, attoseconds) = components
        let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return seconds < 0 ? 0 : Int.max / 4 }
        return max(0, Int((milliseconds + attoseconds / 1_000_000_000_000_000) / unit))
    }
}
