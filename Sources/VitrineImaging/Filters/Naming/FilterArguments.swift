/// The parameters of one filter by name, complete and of their kinds.
struct FilterArguments {
    private let filter: String
    private let values: [String: FilterValue]

    /// Holds what is given against what the filter takes, and fills in the defaults.
    init(
        _ given: [String: FilterValue], for filter: FilterDescription
    ) throws(FilterNameError) {
        let known = filter.parameters.map(\.name)
        // The first in the alphabet, so that the same mistake always gives the same error.
        if let name = given.keys.filter({ !known.contains($0) }).min() {
            throw .unknownParameter(filter: filter.name, name: name, known: known)
        }
        var values: [String: FilterValue] = [:]
        for parameter in filter.parameters {
            guard let value = given[parameter.name] else {
                guard let value = parameter.defaultValue else {
                    throw .missingParameter(
                        filter: filter.name, name: parameter.name,
                        expected: parameter.kind.expectation)
                }
                values[parameter.name] = value
                continue
            }
            guard let resolved = parameter.kind.resolved(value) else {
                throw .invalidParameter(
                    filter: filter.name, name: parameter.name, value: value.description,
                    expected: parameter.kind.expectation)
            }
            values[parameter.name] = resolved
        }
        self.filter = filter.name
        self.values = values
    }

    func number(_ name: String) throws(FilterNameError) -> Double {
        guard case .number(let number) = values[name] else { throw missing(name, "a number") }
        return number
    }

    func color(_ name: String) throws(FilterNameError) -> Pixel {
        guard case .color(let color) = values[name] else { throw missing(name, "a colour") }
        return color
    }

    func flag(_ name: String) throws(FilterNameError) -> Bool {
        guard case .flag(let flag) = values[name] else { throw missing(name, "true or false") }
        return flag
    }

    func choice<Choice: RawRepresentable<String>>(
        _ name: String, _ type: Choice.Type
    ) throws(FilterNameError) -> Choice {
        guard case .text(let text) = values[name], let choice = Choice(rawValue: text) else {
            throw missing(name, "a choice")
        }
        return choice
    }

    private func missing(_ name: String, _ expected: String) -> FilterNameError {
        .missingParameter(filter: filter, name: name, expected: expected)
    }
}
