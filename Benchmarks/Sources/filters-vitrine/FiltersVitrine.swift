import FoundationEssentials
import Glibc
import VitrineImaging

/// Applies filters to pictures in memory, and prints what each takes.
///
/// Arguments: folder with `opaque.png` and `alpha.png`, how often; then, if results are wanted, a folder
/// for them. Prints the name of a row and the median in milliseconds, by a tab.
@main
enum FiltersVitrine {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 2, let count = Int(arguments[1]), count > 0 else { exit(2) }
        let results = arguments.count > 2 ? arguments[2] : nil
        for kind in ["opaque", "alpha"] {
            let path = "\(arguments[0])/\(kind).png"
            let frame = try RasterImage(decoding: Data(contentsOf: URL(fileURLWithPath: path)))
                .posterFrame
            for (name, filter) in try filters(over: frame) {
                try measure("\(name), \(kind)", count, results) {
                    try filter.apply(to: frame, scale: 1)
                }
            }
            let target = UnsafeMutableRawBufferPointer.allocate(
                byteCount: frame.byteCount, alignment: 16)
            defer { target.deallocate() }
            try measure("premultiply, \(kind)", count, nil) {
                try frame.copyPremultiplied(into: target)
                return frame
            }
        }
    }

    /// What is measured, by the names of the peer's rows.
    private static func filters(
        over frame: PixelBuffer
    ) throws -> [(String, any ImageFilter)] {
        let color = Pixel(red: 0x33, green: 0x66, blue: 0xCC)
        let badge = try RasterImage(frame).applying(.rotate(degrees: 180)).posterFrame
        return [
            ("rounded corners", .roundedCorners(radius: 80)), ("circle", .circle),
            ("sepia", .sepia()), ("greyscale", .greyscale()),
            ("saturation", .saturation(factor: 1.5)), ("invert", .invert()),
            ("brightness", .brightness(factor: 1.2)), ("tint", .tint(color)),
            ("tint, half", .tint(Pixel(red: 0x33, green: 0x66, blue: 0xCC, alpha: 128))),
            ("multiply", .tint(color, mode: .multiply)), ("template", .template(color)),
            ("blur 3", .blur(radius: 3)), ("blur 10", .blur(radius: 10)),
            ("blur 50", .blur(radius: 50)), ("sharpen", .sharpen(radius: 1, amount: 0.7)),
            ("pixellate", .pixellate(size: 8)), ("flip", .flip(.horizontal)),
            ("rotate 90", .rotate(degrees: 90)), ("rotate 30", .rotate(degrees: 30)),
            ("border", .border(width: 10, color: color)), ("background", .background(.white)),
            ("overlay", .overlay(badge)), ("mask", .mask(badge, by: .luminance)),
        ]
    }

    private static func measure(
        _ name: String, _ count: Int, _ results: String?, _ body: () throws -> PixelBuffer
    ) throws {
        let first = try body()
        var samples: [Double] = []
        for _ in 0..<count {
            let start = now()
            _ = try body()
            samples.append(now() - start)
        }
        print("\(name)\t\(samples.sorted()[count / 2])")
        guard let results else { return }
        let bytes = first.withUnsafeBytes { Data($0) }
        try bytes.write(to: URL(fileURLWithPath: "\(results)/\(name).rgba"))
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}
