import FoundationEssentials
import VitrineImaging

/// What decoding one file gave, and how long it took.
struct Attempt {
    let result: Result<RasterImage, ImagingError>
    let duration: Duration

    init(_ data: Data, _ options: DecodeOptions = DecodeOptions()) {
        let clock = ContinuousClock()
        let start = clock.now
        do throws(ImagingError) {
            result = .success(try RasterImage(decoding: data, options: options))
        } catch {
            result = .failure(error)
        }
        duration = clock.now - start
    }

    /// Longer than any file may take.
    var isHang: Bool { duration > .seconds(5) }

    /// All frames, if it is an animation, one after the other.
    ///
    /// - Throws: what a later frame throws.
    static func frames(of image: RasterImage) async throws -> [PixelBuffer] {
        var frames: [PixelBuffer] = []
        for index in 0..<image.frameCount { frames.append(try await image.frame(at: index)) }
        return frames
    }

    /// As a finding: `judge` says of a picture whether it is right, and in words what it is.
    func finding(
        _ file: String, _ group: String, refusedIsExpected: Bool = false,
        _ judge: (RasterImage) async throws -> (Bool, String)
    ) async -> Finding {
        if isHang {
            return Finding(file: file, group: group, isAsExpected: false, seen: "took \(duration)")
        }
        switch result {
        case .failure(let error):
            return Finding(
                file: file, group: group, isAsExpected: refusedIsExpected,
                seen: "refused: \(error)")
        case .success(let image):
            do {
                let (isRight, seen) = try await judge(image)
                return Finding(file: file, group: group, isAsExpected: isRight, seen: seen)
            } catch {
                return Finding(
                    file: file, group: group, isAsExpected: false,
                    seen: "it or its reference cannot be read: \(error)")
            }
        }
    }
}
