/// Luminance and chrominance as red, green and blue (JFIF 1.02, after BT.601), in floating point.
enum JPEGColors {
    /// Converts `count` samples of one or three planes into `target`, plane after plane, all 0…255.
    static func convert(
        _ planes: [UnsafePointer<Float>], count: Int, into target: UnsafeMutablePointer<Float>
    ) {
        guard planes.count == 3 else {
            let grey = planes[0]
            for index in 0..<count { target[index] = clamped(grey[index]) }
            return
        }
        let (luma, blue, red) = (planes[0], planes[1], planes[2])
        for index in 0..<count {
            let y = clamped(luma[index])
            let cb = clamped(blue[index]) - 128
            let cr = clamped(red[index]) - 128
            target[index] = clamped(y + 1.402 * cr)
            target[count &+ index] = clamped(y - 0.344136 * cb - 0.714136 * cr)
            target[2 &* count &+ index] = clamped(y + 1.772 * cb)
        }
    }

    @inline(__always)
    private static func clamped(_ value: Float) -> Float {
        let low = value > 0 ? value : 0
        return low < 255 ? low : 255
    }
}
