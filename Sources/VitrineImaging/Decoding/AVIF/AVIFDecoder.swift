import FoundationEssentials
import Glibc

/// Decodes AVIF, still and animated, by libavif itself: more than twice as fast as through libvips, with
/// better colour edges, and with all frames of a sequence.
struct AVIFDecoder: ImageDecoder {
    var formats: Set<RasterFormat> { [.avif] }

    func probe(
        _ data: Data, format: RasterFormat, limits: DecodeLimits
    ) throws(ImagingError) -> ImageInfo {
        try VipsDecoder.borrow(data) { (bytes) throws(ImagingError) in
            try Opened(bytes, limits).info
        }
    }

    func decode(
        _ data: Data, format: RasterFormat, options: DecodeOptions,
        cancellation: DecodeCancellation
    ) throws(ImagingError) -> RasterImage {
        try options.check()
        return try VipsDecoder.borrow(data) { (bytes) throws(ImagingError) in
            let (info, finish, frame): (ImageInfo, FrameFinish, PixelBuffer)
            // What the codec holds is free before the frame is finished.
            do {
                let opened = try Opened(bytes, options.limits)
                info = opened.info
                finish = opened.finish(options)
                try options.limits.check(result: finish.size(of: opened.file.size))
                guard FileOutline(of: bytes, format: .avif).end != .missing else {
                    throw .truncated(format: .avif)
                }
                guard info.frameCount == 1 else {
                    let file = AnimationFile(
                        format: .avif, bytes: data,
                        outline: Opened.frames(of: opened.file, bytes, options.limits),
                        codec: AVIFSequence(limits: options.limits, converter: opened.converter),
                        finish: finish)
                    return try file.image(
                        info: info, options: options, cancellation: cancellation)
                }
                frame = try opened.still(cancellation)
            }
            return RasterImage(
                try finish.frame(frame, format: .avif), info: info, scale: options.scale)
        }
    }
}

extension AVIFDecoder {
    /// A file whose structure has been read and held against the limits.
    private struct Opened {
        let file: AVIFFile
        let info: ImageInfo
        let converter: SRGBConverter?

        init(
            _ bytes: UnsafeRawBufferPointer, _ limits: DecodeLimits
        ) throws(ImagingError) {
            try limits.check(bytes: bytes.count)
            // libavif refuses what is too large too, but does not say how large it is.
            let outline = HEIFOutline(bytes)
            if let size = outline.size {
                guard size.width > 0, size.height > 0 else {
                    throw .corrupt(format: .avif, reason: "it has no size")
                }
                try limits.check(source: size, frames: 1)
                if let coded = outline.codedSize,
                    coded.width < size.width || coded.height < size.height
                {
                    throw .corrupt(format: .avif, reason: "its data are of \(coded) pixels only")
                }
            }
            do throws(ImagingError) {
                file = try AVIFFile(bytes, limits: limits)
            } catch {
                guard case .corrupt = error, FileOutline(of: bytes, format: .avif).end == .missing
                else { throw error }
                throw .truncated(format: .avif)
            }
            if file.frameCount > 1 {
                try limits.check(animation: file.size, frames: file.frameCount)
            }
            var info = ImageInfo(
                format: .avif,
                pixelSize: file.orientation > 4 ? file.size.transposed : file.size,
                frameCount: file.frameCount, hasAlpha: file.hasAlpha,
                hasColorProfile: file.profile != nil, bitsPerSample: file.bitsPerSample,
                byteCount: bytes.count)
            info.colorCodePoints = file.colorCodePoints
            try limits.check(profileBytes: file.profile?.count ?? 0)
            file.facts.describe(&info)
            info.hasGainMap = outline.hasGainMap
            Self.frames(of: file, bytes, limits).describe(&info)
            self.info = info
            converter = info.converter
        }

        func finish(_ options: DecodeOptions) -> FrameFinish {
            FrameFinish(
                target: options.targetSize, orientation: file.orientation,
                profile: info.profileCounts ? file.profile.map { Data($0) } : nil,
                isGrey: file.facts.colorModel == .grey)
        }

        /// The only frame as it is stored, in sRGB except for a profile.
        func still(_ cancellation: DecodeCancellation) throws(ImagingError) -> PixelBuffer {
            file.useThreads()
            try cancellation.check()
            try file.decode(frame: 0)
            try cancellation.check()
            do {
                return try PixelBuffer(size: file.size, isOpaque: !file.hasAlpha) {
                    try file.renderSRGB(into: $0, converter)
                }
            } catch {
                throw error as? ImagingError ?? .corrupt(format: .avif, reason: "\(error)")
            }
        }

        /// The frames of a sequence; each replaces the whole picture.
        static func frames(
            of file: AVIFFile, _ bytes: UnsafeRawBufferPointer, _ limits: DecodeLimits
        ) -> AnimationOutline {
            var outline = AnimationOutline(storing: limits.maximumFrames)
            outline.canvas = file.size
            outline.loopCount = HEIFOutline.loopCount(of: bytes)
            for index in 0..<file.frameCount {
                var frame = AnimationOutline.Frame(
                    width: file.size.width, height: file.size.height)
                frame.delay = file.duration(ofFrame: index)
                frame.isOpaque = !file.hasAlpha
                frame.buildsOnEarlier = !file.isKeyFrame(index)
                // Samples go by number.
                frame.payload = index..<index + 1
                outline.add(frame)
            }
            return outline
        }
    }
}

extension AVIFFile {
    /// Rows that go through 16 bits at a time.
    private static let strip = 64

    /// Writes the frame as straight RGBA in sRGB, except for a profile, into `memory`, which has exactly
    /// that size.
    func renderSRGB(
        into memory: UnsafeMutableRawBufferPointer, _ converter: SRGBConverter?
    ) throws(ImagingError) {
        guard let converter, bitsPerSample > 8 else {
            try render(rows: 0..<size.height, into: memory, bits: 8)
            converter?.convert(memory.bindMemory(to: UInt32.self))
            return
        }
        let rowBytes = size.width * 8
        let count = (Self.strip + 4) * rowBytes
        guard let start = malloc(count) else { throw .outOfMemory(bytes: count) }
        defer { free(start) }
        let words = memory.bindMemory(to: UInt32.self)
        for first in stride(from: 0, to: size.height, by: Self.strip) {
            let rows = first..<min(first + Self.strip, size.height)
            // Two more above and below, from which colours at half the size are interpolated.
            let more = max(0, first - 2)..<min(rows.upperBound + 2, size.height)
            let wide = UnsafeMutableRawBufferPointer(start: start, count: more.count * rowBytes)
            try render(rows: more, into: wide, bits: 16)
            let skipped = (first - more.lowerBound) * rowBytes
            let source = UnsafeRawBufferPointer(
                rebasing: wide[skipped..<skipped + rows.count * rowBytes])
            converter.convert(
                source.bindMemory(to: UInt16.self),
                into: UnsafeMutableBufferPointer(
                    rebasing: words[first * size.width..<rows.upperBound * size.width]))
        }
    }
}
