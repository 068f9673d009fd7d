/// What a filter is called and which parameters it takes, for a help text or a form.
public struct FilterDescription: Sendable {
    /// What values a parameter takes.
    public enum Kind: Sendable, Hashable {
        /// A finite number, within bounds if there are any.
        case number(ClosedRange<Double>?)
        /// A positive length of at most 10,000,000.
        case length
        /// A colour: ``Pixel/init(hex:)``.
        case color
        /// One of some words.
        case choice([String])
        /// "true" or "false".
        case flag
    }

    /// In what a number is counted.
    public enum Unit: String, Sendable, Hashable {
        /// Points: pixels divided by the picture's scale.
        case points
        /// Degrees of an angle.
        case degrees
    }

    /// One parameter.
    public struct Parameter: Sendable, Hashable {
        /// Its name: that of the filter's property.
        public let name: String
        /// What values it takes.
        public let kind: Kind
        /// In what it is counted; nil for what has no unit.
        public let unit: Unit?
        /// What it is if it is not given; nil for a parameter that must be given.
        public let defaultValue: FilterValue?
    }

    /// The name: that of the filter's static member.
    public let name: String
    /// Other names under which it is known elsewhere, and found here too.
    public let aliases: [String]
    /// What the filter does, as a short phrase.
    public let summary: String
    /// The parameters.
    public let parameters: [Parameter]
    let make: @Sendable (FilterArguments) throws(FilterNameError) -> any ImageFilter

    init(
        _ name: String, _ summary: String, aliases: [String] = [], _ parameters: [Parameter],
        make: @escaping @Sendable (FilterArguments) throws(FilterNameError) -> any ImageFilter
    ) {
        self.name = name
        self.aliases = aliases
        self.summary = summary
        self.parameters = parameters
        self.make = make
    }

    /// The form in which it is written on a command line, with defaults or what is expected:
    /// "blur:radius=10", "crop:x=N,y=N,width=N,height=N".
    public var usage: String {
        guard !parameters.isEmpty else { return name }
        let list = parameters.map { "\($0.name)=\($0.defaultValue?.description ?? $0.kind.symbol)" }
        return "\(name):\(list.joined(separator: ","))"
    }

    /// The whole description as lines for a help text: ``usage``, what the filter does and its other
    /// names, then each parameter with what it takes, its unit and its default.
    public var help: String {
        let others = aliases.isEmpty ? "" : "; also \(aliases.joined(separator: ", "))"
        let width = parameters.map(\.name.count).max() ?? 0
        let rows = parameters.map { parameter in
            let padding = String(repeating: " ", count: width - parameter.name.count)
            return "    \(parameter.name)\(padding)  \(parameter.expectation)"
        }
        return (["\(usage)", "    \(summary)\(others)"] + rows).joined(separator: "\n")
    }
}

extension FilterDescription.Parameter {
    init(
        _ name: String, _ kind: FilterDescription.Kind, in unit: FilterDescription.Unit? = nil,
        _ defaultValue: FilterValue? = nil
    ) {
        self.init(name: name, kind: kind, unit: unit, defaultValue: defaultValue)
    }

    /// For example "a number from 0 to 16000, in points; 10 unless given".
    var expectation: String {
        kind.expectation + (unit.map { ", in \($0.rawValue)" } ?? "")
            + (defaultValue.map { "; \($0) unless given" } ?? "")
    }
}

extension FilterDescription.Kind {
    /// What stands for a value.
    var symbol: String {
        switch self {
        case .number, .length: "N"
        case .color: "RRGGBB"
        case .choice(let words): words.joined(separator: "|")
        case .flag: "true|false"
        }
    }

    /// What is expected, as an error says it.
    var expectation: String {
        switch self {
        case .number(nil): "a number"
        case .number(let range?):
            "a number from \(FilterValue.number(range.lowerBound)) "
                + "to \(FilterValue.number(range.upperBound))"
        case .length: "a number above 0, at most \(FilterLength.maximum)"
        case .color: "a colour such as ff8800 or ff880080"
        case .choice(let words): "one of \(words.joined(separator: ", "))"
        case .flag: "true or false"
        }
    }

    /// The value in the kind's own form; nil if it is not of this kind.
    func resolved(_ value: FilterValue) -> FilterValue? {
        switch (self, value) {
        case (.number(let range), .number(let number)):
            number.isFinite && range?.contains(number) ?? true ? value : nil
        case (.length, .number(let number)):
            number > 0 && number <= Double(FilterLength.maximum) ? value : nil
        case (.number, .text(let text)), (.length, .text(let text)):
            Double(text).flatMap { resolved(.number($0)) }
        case (.color, .color): value
        case (.color, .text(let text)): Pixel(hex: text).map { .color($0) }
        case (.choice(let words), .text(let text)): words.contains(text) ? value : nil
        case (.flag, .flag): value
        case (.flag, .text(let text)): Bool(text).map { .flag($0) }
        default: nil
        }
    }
}
