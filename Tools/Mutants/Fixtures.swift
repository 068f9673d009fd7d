import DeterminismSupport
import FoundationEssentials

/// The committed pictures, and what can be made of them.
struct Fixtures {
    struct Mutant {
        let name: String
        let data: Data
    }

    private let files: [Mutant]

    init() throws {
        let folder = URL(fileURLWithPath: "Fixtures/images")
        files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
            Mutant(name: $0, data: try Data(contentsOf: folder.appending(path: $0)))
        }
    }

    /// One of the files after one to eight changes: bytes set, bits flipped, numbers made extreme, parts
    /// cut out, doubled, zeroed or taken from another file, the end cut off.
    func mutant(_ number: UInt64, seed: UInt64) -> Mutant {
        var random = SeededRandom(seed: seed &* 0x9E37_79B9_7F4A_7C15 ^ number)
        let file = files[Int(number % UInt64(files.count))]
        var bytes = [UInt8](file.data)
        // Headers are where it hurts.
        let reach = Bool.random(using: &random) ? min(bytes.count, 128) : bytes.count
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            guard bytes.count > 8 else { break }
            let place = Int.random(in: 0..<min(reach, bytes.count), using: &random)
            let length = Int.random(in: 1...min(32, bytes.count - place), using: &random)
            switch Int.random(in: 0..<9, using: &random) {
            case 0, 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 2: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            case 3:
                let extreme: [UInt8] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF]
                let value = extreme[Int.random(in: 0..<extreme.count, using: &random)]
                for index in place..<min(bytes.count, place + 4) { bytes[index] = value }
            case 4: bytes.removeSubrange(place..<place + length)
            case 5: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
            case 6: for index in place..<place + length { bytes[index] = 0 }
            case 7:
                let other = files[Int.random(in: 0..<files.count, using: &random)].data
                let start = Int.random(in: 0..<other.count, using: &random)
                let part = other.dropFirst(start).prefix(length)
                bytes.replaceSubrange(place..<place + part.count, with: part)
            default:
                guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
                bytes.removeSubrange(place...)
            }
        }
        return Mutant(name: file.name, data: Data(bytes))
    }
}
