/// A filter made from a name and parameters, such as come from a command line or a configuration.
///
/// ```swift
/// let sepia = try NamedFilter("sepia", ["intensity": 0.8])
/// let blur = try NamedFilter(parsing: "blur:radius=4")
/// let image = try picture.applying(sepia, blur, .named("flip", ["axis": "horizontal"]))
/// ```
public struct NamedFilter: ImageFilter {
    /// The filter that the name stands for, for example a ``SepiaFilter``.
    public let filter: any ImageFilter

    /// The filter of a name, or of one of its aliases; ``all`` lists names and parameters.
    ///
    /// - Throws: ``FilterNameError`` for a name that there is not, and for parameters that are unknown,
    ///   missing or malformed.
    public init(
        _ name: String, _ parameters: [String: FilterValue] = [:]
    ) throws(FilterNameError) {
        guard
            let description = Self.all.first(where: {
                $0.name == name || $0.aliases.contains(name)
            })
        else {
            let nearest = NearestName.of(
                name,
                among: Self.all.flatMap { filter in
                    ([filter.name] + filter.aliases).map { ($0, filter.name) }
                })
            throw .unknownFilter(name, nearest: nearest, known: Self.all.map(\.name))
        }
        filter = try description.make(FilterArguments(parameters, for: description))
    }

    /// The filter that a text such as "blur:radius=4" or "border:width=2,color=ff8800" describes.
    ///
    /// - Throws: ``FilterNameError``.
    public init(parsing text: String) throws(FilterNameError) {
        guard let colon = text.firstIndex(of: ":") else {
            guard !text.isEmpty else { throw .malformed(text) }
            try self.init(text)
            return
        }
        let name = String(text[..<colon])
        let rest = text[text.index(after: colon)...]
        guard !name.isEmpty, !rest.isEmpty else { throw .malformed(text) }
        var parameters: [String: FilterValue] = [:]
        for part in rest.split(separator: ",", omittingEmptySubsequences: false) {
            guard let equals = part.firstIndex(of: "="), equals != part.startIndex else {
                throw .malformed(text)
            }
            let key = String(part[..<equals])
            let value = String(part[part.index(after: equals)...])
            guard parameters.updateValue(.text(value), forKey: key) == nil else {
                throw .repeatedParameter(filter: name, name: key)
            }
        }
        try self.init(name, parameters)
    }

    /// That of the filter that the name stands for.
    public var identifier: String { filter.identifier }

    /// - Throws: what the filter throws.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        try filter.apply(to: frame, scale: scale)
    }

    /// That of the filter that the name stands for.
    public func resolved(viewSize: PointSize) -> any ImageFilter {
        filter.resolved(viewSize: viewSize)
    }
}

extension ImageFilter where Self == NamedFilter {
    /// The filter of a name; ``NamedFilter/all`` lists names and parameters.
    ///
    /// - Throws: ``FilterNameError``.
    public static func named(
        _ name: String, _ parameters: [String: FilterValue] = [:]
    ) throws(FilterNameError) -> NamedFilter {
        try NamedFilter(name, parameters)
    }
}
