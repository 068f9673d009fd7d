/// The value of a parameter of a ``NamedFilter``.
///
/// Literals become values: `["intensity": 0.8, "mode": "multiply", "upscales": true]`. A text stands for a
/// value of any kind, as it does on a command line.
public enum FilterValue: Sendable, Hashable {
    /// A number.
    case number(Double)
    /// A choice, or another value as text.
    case text(String)
    /// A colour.
    case color(Pixel)
    /// Yes or no.
    case flag(Bool)
}

extension FilterValue: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByStringLiteral, ExpressibleByBooleanLiteral
{
    /// A number.
    public init(floatLiteral value: Double) { self = .number(value) }
    /// A number.
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// A flag.
    public init(booleanLiteral value: Bool) { self = .flag(value) }
}

extension FilterValue: CustomStringConvertible {
    /// The value as it is written on a command line: "0.8", "12", "ff8800ff", "true".
    public var description: String {
        switch self {
        case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .text(let text): text
        case .color(let color): color.hex
        case .flag(let flag): "\(flag)"
        }
    }
}
