import Glibc

/// Frames of AVIF sequences. Most build on the one before, so that a reader keeps its decoder.
struct AVIFSequence: FrameCodec {
    let limits: DecodeLimits
    /// What brings the colours to sRGB, if anything is needed.
    let converter: SRGBConverter?

    func drawer() -> any FrameDrawer { Drawer(limits: limits, converter: converter) }

    /// The copy of the file, and up to eight frames to which later ones may refer.
    func drawerMemory(bytes: Int, pixels: Int) -> Int { bytes + 12 * pixels }

    /// Keeps a copy of the file, since the bytes are only lent for each frame, and libavif reads them
    /// as it goes.
    private final class Drawer: FrameDrawer {
        private let limits: DecodeLimits
        private let converter: SRGBConverter?
        private var copy: FileCopy?
        private var file: AVIFFile?

        init(limits: DecodeLimits, converter: SRGBConverter?) {
            self.limits = limits
            self.converter = converter
        }

        func draw(
            _ frame: AnimationOutline.Frame, of bytes: UnsafeRawBufferPointer,
            on canvas: FrameCanvas, _ cancellation: DecodeCancellation
        ) throws(ImagingError) {
            let file = try opened(bytes)
            guard file.size == canvas.size else {
                throw .corrupt(format: .avif, reason: "a frame has the wrong size")
            }
            try cancellation.check()
            try file.decode(frame: frame.payload.lowerBound)
            try cancellation.check()
            try canvas.withUnsafeMutableBytes { (memory) throws(ImagingError) in
                try file.renderSRGB(into: memory, converter)
            }
        }

        private func opened(_ bytes: UnsafeRawBufferPointer) throws(ImagingError) -> AVIFFile {
            if let file { return file }
            let copy = try FileCopy(bytes)
            let file = try AVIFFile(copy.bytes, limits: limits)
            self.copy = copy
            self.file = file
            return file
        }
    }

    private final class FileCopy {
        let bytes: UnsafeRawBufferPointer

        init(_ bytes: UnsafeRawBufferPointer) throws(ImagingError) {
            guard let start = malloc(max(1, bytes.count)) else {
                throw .outOfMemory(bytes: bytes.count)
            }
            let copy = UnsafeMutableRawBufferPointer(start: start, count: bytes.count)
            copy.copyMemory(from: bytes)
            self.bytes = UnsafeRawBufferPointer(copy)
        }

        deinit { free(UnsafeMutableRawPointer(mutating: bytes.baseAddress)) }
    }
}
