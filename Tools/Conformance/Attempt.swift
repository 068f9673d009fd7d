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

    /// As a finding: `judge` says of a picture whether it is right, and in words what it is.
    func finding(
        _ file: String, _ group: String, refusedIsExpected: Bool = false,
        _ judge: (RasterImage) throws -> (Bool, String)
    ) -> Finding {
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
                let (isRight, seen) = try judge(image)
                return Finding(file: file, group: group, isAsExpected: isRight, seen: seen)
            } catch {
                return Finding(
                    file: file, group: group, isAsExpected: false,
                    seen: "the reference cannot be read: \(error)")
            }
        }
    }
}
