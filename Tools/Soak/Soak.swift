import FoundationEssentials
import Glibc
import HeapFacts

/// Loads for a long time, in every way that there is, and watches what the process holds.
///
///     soak [LOADS]
///
/// Prints a line for each fiftieth of the loads, 100,000 by default: loads so far, resident memory in
/// kilobytes, what of it malloc has given out, descriptors and threads. Fails if the memory of the last tenth is 2 % or more above that
/// at the half, if a descriptor was left, or if a load did not end exactly once.
@main
enum Soak {
    private struct Sample {
        let kilobytes: Int
        let descriptors: Int
    }

    static func main() async throws {
        let total = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
        let steps = 50
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "vitrine-soak-\(getpid())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let loads = try SoakLoads(folder: folder)
        var samples: [Sample] = []
        print("  loads       KB  of malloc  descriptors  threads")
        for step in 1...steps {
            await loads.run(total / steps, seed: UInt64(step))
            let sample = Sample(
                kilobytes: try field("VmRSS"),
                descriptors: try FileManager.default
                    .contentsOfDirectory(atPath: "/proc/self/fd").count)
            samples.append(sample)
            print(
                column(step * (total / steps), 7), column(sample.kilobytes, 8),
                column(Int(clamping: heap_bytes_in_use()) / 1024, 10),
                column(sample.descriptors, 12), column(try field("Threads"), 8))
            fflush(nil)
        }
        let ends = loads.ends
        print("ends: \(ends)")

        // Medians, since a round may happen to end with more or less in the caches.
        let half = median(samples[(steps / 2 - 5)..<(steps / 2)].map(\.kilobytes))
        let last = median(samples.suffix(5).map(\.kilobytes))
        let growth = (Double(last) / Double(half) - 1) * 100
        let hundredths = Int((growth * 100).rounded())
        print("half \(half) KB, end \(last) KB: \(Double(hundredths) / 100) %")
        var complaints: [String] = []
        if growth >= 2 { complaints.append("memory has grown by 2 % or more") }
        if ends.count != total / steps * steps { complaints.append("\(ends.count) ends") }
        let open = samples.map(\.descriptors)
        // Kept connections come and go; more than those is a leak.
        if let first = open.prefix(steps / 2).max(), let now = open.last, now > first {
            complaints.append("\(now) descriptors are open, \(first) were at most")
        }
        for complaint in complaints { print("FAILED: \(complaint)") }
        if !complaints.isEmpty { exit(1) }
    }

    private static func median(_ values: [Int]) -> Int { values.sorted()[values.count / 2] }

    private static func column(_ value: Int, _ width: Int) -> String {
        let text = "\(value)"
        return String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// A number from the system's account of this process.
    private static func field(_ name: String) throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        return line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
    }
}
