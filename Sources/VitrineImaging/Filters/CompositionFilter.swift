/// Several filters one after the other, as one.
public struct CompositionFilter: ImageFilter {
    /// The filters, first one first.
    public let filters: [any ImageFilter]

    /// A filter; without filters it changes nothing.
    public init(_ filters: [any ImageFilter]) {
        self.filters = filters
    }

    /// For example "composition(16:fit(60.0,60.0),6:circle)": each identifier behind its length in
    /// bytes, so that two different lists never share one.
    public var identifier: String {
        let parts = filters.map(\.identifier).map { "\($0.utf8.count):\($0)" }
        return "composition(\(parts.joined(separator: ",")))"
    }

    /// - Throws: what its filters throw.
    public func apply(to frame: PixelBuffer, scale: Double) throws -> PixelBuffer {
        try filters.reduce(frame) { try $1.applyReportingFailure(to: $0, scale: scale) }
    }

    /// The same filters, each for a view of this size.
    public func resolved(viewSize: PointSize) -> any ImageFilter {
        CompositionFilter(filters.map { $0.resolved(viewSize: viewSize) })
    }
}

extension ImageFilter where Self == CompositionFilter {
    /// Several filters one after the other, as one.
    public static func composition(_ filters: [any ImageFilter]) -> CompositionFilter {
        CompositionFilter(filters)
    }
}
