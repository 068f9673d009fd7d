import Glibc

/// Brings RGB of other primaries or other transfer functions to sRGB, pixel by pixel.
///
/// Colours that sRGB does not have become the nearest channel by channel. HDR is compressed by the
/// brightest channel, so that hues stay. Tables do the work: some 45 ns a pixel, the way
/// through 16 bits included.
struct SRGBConverter {
    /// Entries of the tables for 16-bit numbers and for light.
    private static let steps = 4096

    /// Light of a number; white is 1.
    private let light: [Float]
    /// For PQ, by the largest of the three numbers: by how much all are dimmed; else empty.
    private let dimming: [Float]
    /// For HLG: what the brightness of the scene makes of it.
    private let scene: Scene?
    /// Linear light of the file's primaries to that of sRGB's.
    private let matrix: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)

    /// Nil if pixels with these code points are sRGB already.
    init?(_ points: ColorCodePoints) {
        let transfer = TransferFunction(codePoint: points.transfer)
        let primaries = ChromaticPrimaries.of(codePoint: points.primaries) ?? .sRGB
        guard transfer != .sRGB || primaries != .sRGB else { return nil }
        let lights = (0..<Self.steps).map { transfer.light(Double($0) / Double(Self.steps - 1)) }
        switch transfer {
        case .perceptualQuantizer:
            light = lights.map { Float($0 * 10_000 / ToneCompression.white) }
            dimming = lights.map { Float(ToneCompression.factor($0 * 10_000)) }
            scene = nil
        case .hybridLogGamma:
            light = lights.map { Float($0) }
            dimming = []
            scene = Scene(luminance: primaries.toXYZ.rows.1)
        case .sRGB, .gamma:
            light = lights.map { Float($0) }
            dimming = []
            scene = nil
        }
        let rows = primaries.toSRGB.rows
        // The columns, by which a vector is multiplied.
        matrix = (
            SIMD3([rows.0.x, rows.1.x, rows.2.x]), SIMD3([rows.0.y, rows.1.y, rows.2.y]),
            SIMD3([rows.0.z, rows.1.z, rows.2.z])
        )
    }

    /// Converts straight RGBA of 16 bits a sample; both have as many pixels.
    func convert(
        _ source: UnsafeBufferPointer<UInt16>, into words: UnsafeMutableBufferPointer<UInt32>
    ) {
        guard source.count >= words.count * 4 else { return }
        withTables { tables in
            for index in words.indices {
                let start = index &* 4
                words[index] = tables.word(
                    source[start], source[start + 1], source[start + 2],
                    alpha: (UInt32(source[start + 3]) &* 255 &+ 32_895) >> 16)
            }
        }
    }

    /// Converts straight RGBA of 8 bits a sample in place.
    func convert(_ words: UnsafeMutableBufferPointer<UInt32>) {
        withTables { tables in
            for index in words.indices {
                let word = UInt32(littleEndian: words[index])
                words[index] = tables.word(
                    UInt16(word & 255) &* 257, UInt16(word >> 8 & 255) &* 257,
                    UInt16(word >> 16 & 255) &* 257, alpha: word >> 24)
            }
        }
    }

    private func withTables(_ body: (Tables) -> Void) {
        light.withUnsafeBufferPointer { light in
            Self.encoded.withUnsafeBufferPointer { encoded in
                dimming.withUnsafeBufferPointer { dimming in
                    body(
                        Tables(
                            light: light, encoded: encoded, dimming: dimming, scene: scene,
                            matrix: matrix))
                }
            }
        }
    }

    /// sRGB's number of a light, in 65,536 steps.
    private static let encoded: [UInt8] = (0..<65_536).map { index in
        let light = Double(index) / 65_535
        let value = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
        return UInt8((value * 255).rounded())
    }

    /// HLG's way from the scene to a display of 1,000 candela per square metre (BT.2100-2, table 5), and
    /// from there to the white that is shown. By the square root of light, so that shadows get steps
    /// enough.
    private struct Scene {
        let luminance: SIMD3<Float>
        /// How many times brighter than the scene the display is, white being 1.
        let gain: [Float]
        /// By how much that is dimmed.
        let dimming: [Float]

        static let peak = Float(ToneCompression.peak / ToneCompression.white)

        init(luminance: SIMD3<Double>) {
            self.luminance = SIMD3<Float>(luminance)
            let roots = (0..<steps).map { Double($0) / Double(steps - 1) }
            gain = roots.map { Self.peak * Float(pow($0 * $0, 0.2)) }
            dimming = roots.map {
                Float(ToneCompression.factor($0 * $0 * ToneCompression.peak))
            }
        }

        @inline(__always)
        func displayed(_ light: SIMD3<Float>) -> SIMD3<Float> {
            let display = light * gain[Self.index((light * luminance).sum())]
            return display * dimming[Self.index(display.max() / Self.peak)]
        }

        @inline(__always)
        private static func index(_ light: Float) -> Int {
            Int((min(1, max(0, light)).squareRoot() * Float(steps - 1)).rounded())
        }
    }

    private struct Tables {
        let light: UnsafeBufferPointer<Float>
        let encoded: UnsafeBufferPointer<UInt8>
        let dimming: UnsafeBufferPointer<Float>
        let scene: Scene?
        let matrix: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)

        @inline(__always)
        func word(_ red: UInt16, _ green: UInt16, _ blue: UInt16, alpha: UInt32) -> UInt32 {
            let (r, g, b) = (Self.index(red), Self.index(green), Self.index(blue))
            var light = SIMD3(light[r], light[g], light[b])
            if !dimming.isEmpty {
                light *= dimming[max(r, g, b)]
            } else if let scene {
                light = scene.displayed(light)
            }
            let linear = matrix.0 * light.x + matrix.1 * light.y + matrix.2 * light.z
            let bounded = linear.clamped(lowerBound: .zero, upperBound: .one) * 65_535 + 0.5
            let color =
                UInt32(encoded[Int(bounded.x)]) | UInt32(encoded[Int(bounded.y)]) << 8
                | UInt32(encoded[Int(bounded.z)]) << 16
            return (color | alpha << 24).littleEndian
        }

        /// The nearest of 4,096 steps.
        @inline(__always)
        private static func index(_ value: UInt16) -> Int {
            Int((value &- value >> 12 &+ 8) >> 4)
        }
    }
}
