import FoundationEssentials
import Glibc
import VitrineImaging

/// Damages the fixtures of all formats in many ways and decodes what comes of it: each must decode, wholly or
/// where that is asked for in part, or throw, soon, and take no more memory than the limits allow.
///
///     mutants [COUNT [SEED [FIRST]]]
///
/// Mutant number n of a seed is the same in every run. If one kills the process, its number is in
/// `.build/mutant`; `mutants 1 SEED NUMBER` makes it again.
@main
enum Mutants {
    static func main() throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
        let count = numbers.first ?? 200_000
        let seed = numbers.count > 1 ? numbers[1] : 1
        let first = numbers.count > 2 ? numbers[2] : 0
        let files = try Fixtures()
        var tally = Tally()
        let place = open(".build/mutant", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        for number in first..<first + count {
            let text = "\(number) of seed \(seed)            \n"
            _ = pwrite(place, text, text.utf8.count, 0)
            let mutant = files.mutant(number, seed: seed)
            tally.add(mutant, attempt(mutant.data, number))
            if number % 5_000 == 4_999 {
                print("\(tally.text(seed: seed))\n")
                fflush(nil)
            }
        }
        print(tally.text(seed: seed))
        exit(tally.hangs + tally.faults == 0 ? 0 : 1)
    }

    /// What became of one mutant.
    struct Outcome {
        var isPicture = false
        var isFault = false
        var duration = Duration.zero
    }

    private static func attempt(_ data: Data, _ number: UInt64) -> Outcome {
        let limits = DecodeLimits(maximumSourcePixels: 1_000_000, maximumResultPixels: 1_000_000)
        let size = PixelSize(width: 20, height: 30)
        let target: TargetSize? =
            number % 2 == 0 ? nil : .fill(width: size.width, height: size.height)
        let damage: DecodeOptions.DamageHandling = number % 4 < 2 ? .refused : .readablePart
        var outcome = Outcome()
        let start = ContinuousClock.now
        do throws(ImagingError) {
            let options = DecodeOptions(targetSize: target, limits: limits, damage: damage)
            let image = try RasterImage(decoding: data, options: options)
            outcome.isPicture = true
            outcome.isFault =
                target != nil && image.pixelSize != size
                || damage == .refused && !image.isComplete
        } catch {
            outcome.isFault = !error.description.hasSuffix(".")
        }
        outcome.duration = ContinuousClock.now - start
        return outcome
    }
}
