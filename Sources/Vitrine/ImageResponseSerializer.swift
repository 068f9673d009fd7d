public import FoundationEssentials
public import VitrineImaging

/// Makes an image of a response that another HTTP client has fetched, under the rules of a loader.
///
/// ```swift
/// let (data, response) = try await URLSession.shared.data(from: url)
/// let http = response as? HTTPURLResponse
/// let head = ImageResponseSerializer.Head(
///     url: url, status: http?.statusCode, headers: http?.allHeaderFields as? [String: String] ?? [:])
/// let result = try await ImageResponseSerializer().serialized(data, head)
/// ```
///
/// A status from 200 to 299 is a success. A response without content is ``Result/empty`` where its
/// status or method allows that, and an error elsewhere. Nothing is cached.
public struct ImageResponseSerializer: Sendable {
    /// What a client knows of a response beside its bytes.
    public struct Head: Sendable, Hashable {
        /// The URL that was asked.
        public var url: URL
        /// The status code; nil for what did not come over HTTP, a file say. Then neither status nor
        /// type is looked at.
        public var status: Int?
        /// The header fields; their names in any letter case.
        public var headers: [String: String]
        /// The method of the request.
        public var method: String

        /// A head with these facts.
        public init(
            url: URL, status: Int?, headers: [String: String] = [:], method: String = "GET"
        ) {
            self.url = url
            self.status = status
            self.headers = headers
            self.method = method
        }

        var contentType: String? {
            headers.first { $0.key.lowercased() == "content-type" }?.value
        }

        var facts: HTTPFacts? {
            guard let status else { return nil }
            let fields = headers.map { ($0.key.lowercased(), $0.value) }
            return HTTPFacts(
                finalURL: url, status: status,
                headers: Dictionary(fields, uniquingKeysWith: { "\($0), \($1)" }), freshUntil: nil,
                receivedAt: nil)
        }
    }

    /// What a response holds.
    public enum Result: Sendable {
        /// A picture.
        case image(RasterImage)
        /// Nothing, as its status or method has it.
        case empty

        /// The picture, if there is one.
        public var image: RasterImage? {
            guard case .image(let image) = self else { return nil }
            return image
        }
    }

    /// What the `Content-Type` means.
    public var contentTypes: ContentTypeRule
    /// The statuses of responses that may be empty: 204 (no content) and 205 (reset content).
    public var emptyStatuses: Set<Int> = [204, 205]
    /// The methods to which responses may be empty: `HEAD`.
    public var emptyMethods: Set<String> = ["HEAD"]
    /// How the bytes become a picture: target size, scale, limits.
    public var options: DecodeOptions

    /// A serializer with these rules.
    public init(
        contentTypes: ContentTypeRule = .bytesDecide, options: DecodeOptions = DecodeOptions()
    ) {
        self.contentTypes = contentTypes
        self.options = options
    }

    /// An `Accept` header for requests to whose responses these rules apply: what this process can
    /// decode, in a fixed order.
    public var acceptHeader: String {
        AcceptHeader.value(for: contentTypes, allowsSVG: options.limits.allowsSVG)
    }

    /// What the response holds; decodes on the caller's thread, and so blocks.
    ///
    /// - Parameter data: the whole body; nil counts as empty.
    /// - Throws: ``ImageError`` of the reasons `status`, `contentType` and `imaging`, with the head in
    ///   ``ImageError/http``.
    public func serialize(_ data: Data?, _ head: Head) throws(ImageError) -> Result {
        guard let data = try content(data, head) else { return .empty }
        do throws(ImagingError) {
            return .image(try RasterImage(decoding: data, options: options))
        } catch {
            throw ImageError(.imaging(error), url: head.url, http: head.facts)
        }
    }

    /// What the response holds, without blocking the caller: as ``serialize(_:_:)``, and cancelling the
    /// calling task is an error, too.
    public func serialized(_ data: Data?, _ head: Head) async throws(ImageError) -> Result {
        guard let data = try content(data, head) else { return .empty }
        do {
            return .image(try await RasterImage.decoded(from: data, options: options))
        } catch {
            let reason = (error as? ImagingError).map { ImageError.Reason.imaging($0) }
            throw ImageError(reason ?? .cancelled, url: head.url, http: head.facts)
        }
    }

    /// The bytes to be decoded; nil where there may be none.
    private func content(_ data: Data?, _ head: Head) throws(ImageError) -> Data? {
        let data = data ?? Data()
        if let status = head.status {
            guard (200..<300).contains(status) else {
                throw ImageError(.status(status), url: head.url, http: head.facts)
            }
            let mayBeEmpty =
                emptyStatuses.contains(status) || emptyMethods.contains(head.method.uppercased())
            if data.isEmpty, mayBeEmpty { return nil }
            // Before the type: a body that is missing has none.
            guard
                data.isEmpty
                    || contentTypes.accepts(
                        head.contentType, allowsSVG: options.limits.allowsSVG)
            else {
                throw ImageError(
                    .contentType(head.contentType), url: head.url, http: head.facts)
            }
        }
        return data
    }
}

extension ImageResponseSerializer.Head: CustomStringConvertible, CustomReflectable {
    /// One line, without secrets: `GET 200 https://host/path?q=…`.
    public var description: String {
        [method, status.map(String.init), url.redacted].compactMap { $0 }.joined(separator: " ")
    }

    /// Nothing below the description.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
