import FoundationEssentials
import Glibc
import VitrineImaging

/// Gives one input to the decoder of animations: every frame decodes or throws.
func fuzzFrames(
    _ format: RasterFormat, _ start: UnsafePointer<UInt8>?, _ count: Int
) -> CInt {
    guard let start, count > 0 else { return 0 }
    let data = Data(bytes: start, count: count)
    guard RasterFormat(sniffing: data) == format else { return 0 }
    let limits = DecodeLimits(
        maximumDimension: 4_096, maximumSourcePixels: 8_192, maximumFrames: 16)
    do throws(ImagingError) {
        let damage: DecodeOptions.DamageHandling =
            start[count - 1] & 1 == 0 ? .refused : .readablePart
        let options = DecodeOptions(limits: limits, damage: damage)
        let image = try RasterImage(decoding: data, options: options)
        let size = image.pixelSize
        let done = Signal()
        // The frames behind the first one come from threads of the module.
        Task {
            for index in 1..<max(1, image.frameCount) {
                guard let frame = try? await image.frame(at: index) else { break }
                if frame.size != size { fatalError("\(frame.size)") }
            }
            done.send()
        }
        done.wait()
    } catch {
        if !error.description.hasSuffix(".") { fatalError(error.description) }
    }
    return 0
}

/// Sent once, waited for once.
private final class Signal: @unchecked Sendable {
    // Unchecked because of the pointer: a semaphore is made for several threads.
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func send() { sem_post(semaphore) }

    func wait() { while sem_wait(semaphore) != 0 {} }
}
