import FoundationEssentials
import Glibc
import VitrineImaging

/// Prints for each file its bytes and the median of the nanoseconds that a probe takes.
@main
enum ProbeVitrine {
    static func main() throws {
        let clock = ContinuousClock()
        for path in CommandLine.arguments.dropFirst() {
            let data = try Data(contentsOf: URL(filePath: path))
            var times: [Duration] = []
            for _ in 0..<301 {
                times.append(try clock.measure { _ = try ImageInfo(probing: data) })
            }
            times.sort()
            print("\(data.count)\t\(times[150] / .nanoseconds(1))")
        }
    }
}
