/// What a filter is called and which parameters it takes, for a help text or a form.
public struct FilterDescription: Sendable {
    /// What values a parameter takes.
    public enum Kind: Sendable, Hashable {
        /// A finite number, within bounds if there are any.
        case number(ClosedRange<Double>?)
        /// A positive, finite length in points.
        case length
        /// A colour: ``Pixel/init(hex:)``.
        case color
        /// One of some words.
        case choice([String])
        /// "true" or "false".
        case flag
    }

    /// One parameter.
    public struct Parameter: Sendable, Hashable {
        /// Its name: that of the filter's property.
        public let name: String
        /// What values it takes.
        public let kind: Kind
        /// What it is if it is not given; nil for a parameter that must be given.
        public let defaultValue: FilterValue?
    }

    /// The name: that of the filter's static member.
    public let name: String
    /// What the filter does, as a short phrase.
    public let summary: String
    /// The parameters.
    public let parameters: [Parameter]
    let make: @Sendable (FilterArguments) throws(FilterNameError) -> any ImageFilter

    init(
        _ name: String, _ summary: String, _ parameters: [Parameter],
        make: @escaping @Sendable (FilterArguments) throws(FilterNameError) -> any ImageFilter
    ) {
        self.name = name
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
}

extension FilterDescription.Parameter {
    init(_ name: String, _ kind: FilterDescription.Kind, _ defaultValue: FilterValue? = nil) {
        self.init(name: name, kind: kind, defaultValue: defaultValue)
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
        case .length: "a number above 0"
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
            number.isFinite && number > 0 ? value : nil
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
