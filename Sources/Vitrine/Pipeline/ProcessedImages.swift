import FoundationEssentials
import VitrineBase
import VitrineHTTP
import VitrineImaging
import VitrineStorage

/// What was made of one stored response, beside it in the same store.
///
/// A result is known by the response's key and variant, by the checksum of its bytes and by all that was
/// made of them, so that new bytes never meet old results. It is removed with the response, and if that is
/// evicted alone, its results are out of reach, and go in their turn.
struct ProcessedImages: Sendable {
    let disk: DiskStore
    private let prefix: String
    private let mark: String
    private let url: String?
    private let bytes: Data

    init(disk: DiskStore, place: HTTP.Response.Place, bytes: Data) {
        self.disk = disk
        self.bytes = bytes
        prefix = Self.prefix(of: place)
        url = place.url
        let checksum = bytes.withUnsafeBytes { Checksum.of($0) }
        mark = "\(bytes.count).\(String(checksum, radix: 16))"
    }

    /// With what the keys of all results of a response begin, of whatever bytes. It is behind the
    /// response's key and a space, as all is that goes with the URL, and no variant's name.
    static func prefix(of place: HTTP.Response.Place) -> String {
        "\(place.key.text) +\(place.variant.isEmpty ? "-" : place.variant)."
    }

    private func key(of plan: PlannedLoad) -> String {
        // The limits are among the options: what one loader may make another may not.
        let made =
            "\(ImageLoader.version)\n\(plan.options)\n"
            + plan.request.filters.map { "\($0.identifier.utf8.count):\($0.identifier)" }.joined()
        return "\(prefix)\(mark).\(SHA256.hex(made.utf8).prefix(32))"
    }

    /// The result that the load wants, if it is there.
    ///
    /// The facts of the file come from its header, which is checked against the limits as for decoding.
    func image(
        for plan: PlannedLoad, reservation: DecodeBudget.Reservation, on pool: BlockingPool
    ) async -> RasterImage? {
        guard let entry = try? await disk.entry(for: key(of: plan)),
            let size = StoredPixels.size(of: entry.body), let pixels = size.pixelCount
        else { return nil }
        do {
            try await reservation.take(pixels * 4)
            return try await pool.run(priority: plan.request.priority) {
                let info = try ImageInfo(probing: bytes, limits: plan.options.limits)
                guard let frame = try StoredPixels.decode(entry.body) else { return nil }
                return RasterImage(frame, info: info, scale: plan.options.scale)
            }
        } catch {
            return nil
        }
    }

    /// Keeps a result, unless its pixels take more than `mostBytes`; says whether it is kept.
    func store(
        _ image: RasterImage, for plan: PlannedLoad, mostBytes: Int, on pool: BlockingPool
    ) async -> Bool {
        let frame = image.posterFrame
        guard frame.byteCount <= mostBytes else { return false }
        do {
            let body = try await pool.run(priority: .veryLow) { StoredPixels.encode(frame) }
            try await disk.insert(.bytes(body), metadata: metadata, for: key(of: plan))
            return true
        } catch {
            return false
        }
    }

    // MARK: Metadata

    private static let mark = Data("VPI\u{1}".utf8)

    private var metadata: Data { Self.mark + Data((url ?? "").utf8) }

    /// The URL from which the response came whose result has these metadata, if that lies under a name.
    static func url(in metadata: Data) -> String? {
        guard metadata.starts(with: mark) else { return nil }
        return String(validating: metadata.dropFirst(mark.count), as: UTF8.self)
    }
}
