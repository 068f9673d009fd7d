package import FoundationEssentials

/// Decodes JPEG.
///
/// Where the picture becomes four times smaller or more, a baseline JPEG is decoded and shrunk in Swift in
/// one pass, and libvips is not even started; all else goes on to ``VipsDecoder``, which also judges files
/// with anything odd in them.
struct JPEGDecoder: ImageDecoder {
    private let general = VipsDecoder()

    var formats: Set<RasterFormat> { [.jpeg] }

    func probe(
        _ data: Data, format: RasterFormat, limits: DecodeLimits
    ) throws(ImagingError) -> ImageInfo {
        try limits.check(bytes: data.count)
        let header = try data.withReader { (bytes) throws(ImagingError) in JPEGHeader(bytes) }
        guard let header else { return try general.probe(data, format: format, limits: limits) }
        return try info(header, data, limits)
    }

    func decode(
        _ data: Data, format: RasterFormat, options: DecodeOptions,
        cancellation: DecodeCancellation
    ) throws(ImagingError) -> RasterImage {
        if let image = try reduced(data, options: options, cancellation: cancellation) {
            return image
        }
        return try general.decode(
            data, format: format, options: options, cancellation: cancellation)
    }

    /// The picture as it is made in Swift alone; nil where libvips must decode the file.
    fileprivate func reduced(
        _ data: Data, options: DecodeOptions, cancellation: DecodeCancellation
    ) throws(ImagingError) -> RasterImage? {
        try options.check()
        try options.limits.check(bytes: data.count)
        return try VipsDecoder.borrow(data) { (bytes) throws(ImagingError) in
            try thumbnail(bytes, data, options, cancellation)
        }
    }

    private func thumbnail(
        _ bytes: UnsafeRawBufferPointer, _ data: Data, _ options: DecodeOptions,
        _ cancellation: DecodeCancellation
    ) throws(ImagingError) -> RasterImage? {
        guard let target = options.targetSize, let header = JPEGHeader(ByteReader(bytes)),
            let thumbnail = JPEGThumbnail(header, target: target)
        else { return nil }
        let info = try info(header, data, options.limits)
        guard info.converter == nil else { return nil }
        try options.limits.check(result: ResizePlan(target, source: info.pixelSize).result)
        do {
            let frame = try thumbnail.frame(bytes, cancellation)
            let managed = try header.profile.withReader { (profile) throws(ImagingError) in
                try frame.managed(by: profile.count > 0 ? profile : nil, of: .jpeg)
            }
            return RasterImage(managed, info: info, scale: options.scale)
        } catch let error as ImagingError {
            throw error
        } catch {
            return nil
        }
    }

    private func info(
        _ header: JPEGHeader, _ data: Data, _ limits: DecodeLimits
    ) throws(ImagingError) -> ImageInfo {
        var info = ImageInfo(
            format: .jpeg, pixelSize: header.shownSize, hasAlpha: false,
            orientation: header.orientation, hasColorProfile: !header.profile.isEmpty,
            byteCount: data.count)
        info.comesByRows = header.comesByRows
        try limits.check(profileBytes: header.profile.count)
        data.withUnsafeBytes { bytes in
            var facts = HeaderFacts(jpeg: ByteReader(bytes))
            header.profile.withUnsafeBytes { bytes in
                let profile = ICCProfile(ByteReader(bytes))
                info.colorCodePoints = profile.colorCodePoints
                facts.profileName = profile.name
            }
            facts.describe(&info)
        }
        try limits.check(source: info.pixelSize, frames: 1)
        return info
    }
}

/// The picture as the decoder in Swift alone makes it, for fuzzing; nil for what it leaves to libvips.
package func reduceJPEG(
    _ data: Data, options: DecodeOptions
) throws(ImagingError) -> RasterImage? {
    try JPEGDecoder().reduced(data, options: options, cancellation: DecodeCancellation())
}
