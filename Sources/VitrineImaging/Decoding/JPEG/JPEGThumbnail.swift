/// A JPEG reduced while it is decoded, and shrunk to its target, in one pass from the first row to the
/// last.
struct JPEGThumbnail {
    private let header: JPEGHeader
    private let shrink: Int
    private let plan: ResizePlan

    /// nil unless the file can go this way to this target.
    init?(_ header: JPEGHeader, target: TargetSize) {
        plan = ResizePlan(target, source: header.shownSize)
        let factor = plan.factor
        guard factor >= 4 else { return nil }
        // What is left is twice the size that is wanted, or more, for a good resize.
        shrink = factor >= 16 ? 8 : factor >= 8 ? 4 : 2
        guard JPEGReducer.canReduce(header, by: shrink),
            // A profile of grey needs a picture of grey.
            header.profile.isEmpty || header.components.count == 3
        else { return nil }
        self.header = header
    }

    /// The picture, upright; its profile is not applied.
    ///
    /// - Throws: ``JPEGReducer/Irregular`` where libvips must judge, and what `PixelBuffer` throws.
    func frame(
        _ bytes: UnsafeRawBufferPointer, _ cancellation: DecodeCancellation
    ) throws -> PixelBuffer {
        guard let reducer = JPEGReducer(bytes, header, by: shrink) else {
            throw JPEGReducer.Irregular()
        }
        let isTurned = header.orientation > 4
        let crop = isTurned ? plan.crop.transposed : plan.crop
        let resized = isTurned ? plan.resized.transposed : plan.resized
        let across = weights(header.size.width, crop.width, reducer.size.width, resized.width)
        let down = weights(header.size.height, crop.height, reducer.size.height, resized.height)
        let shrinker = RowShrinker(
            across: across, down: down, width: reducer.size.width, planes: reducer.planes)
        return try PixelBuffer(size: plan.result, isOpaque: true) { memory in
            let target = TurnedPixels(
                memory, size: plan.result, orientation: header.orientation, source: resized)
            let count = reducer.size.width
            let samples = UnsafeMutablePointer<Float>.allocate(capacity: count * reducer.planes)
            samples.initialize(repeating: 0, count: count * reducer.planes)
            defer { samples.deallocate() }
            try reducer.forEachRow { planes in
                try cancellation.check()
                JPEGColors.convert(planes, count: count, into: samples)
                shrinker.add(samples) { target.setRow($0, $1, planes: planes.count) }
            }
        }
    }

    /// How `count` samples are made of `reduced` ones, which stand for `whole`, of which the middle `crop` is
    /// wanted.
    private func weights(
        _ whole: Int, _ crop: Int, _ reduced: Int, _ count: Int
    ) -> LanczosWeights {
        LanczosWeights(
            from: reduced, start: Double((whole - crop) / 2) / Double(shrink),
            scale: Double(crop) / Double(count) / Double(shrink), to: count)
    }
}
