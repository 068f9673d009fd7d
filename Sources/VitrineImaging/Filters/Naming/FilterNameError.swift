public import FoundationEssentials

/// Why a name and parameters did not become a filter.
public enum FilterNameError: Error, Sendable, Hashable {
    /// There is no filter of this name; `nearest` is the one that was probably meant, and `known` lists
    /// those that there are.
    case unknownFilter(String, nearest: String?, known: [String])
    /// The filter has no such parameter; `known` lists those that it has.
    case unknownParameter(filter: String, name: String, known: [String])
    /// A parameter without a default was not given.
    case missingParameter(filter: String, name: String, expected: String)
    /// A value is of another kind or out of bounds.
    case invalidParameter(filter: String, name: String, value: String, expected: String)
    /// A parameter was given twice.
    case repeatedParameter(filter: String, name: String)
    /// The text is not of the form "NAME:key=value,key=value".
    case malformed(String)
}

extension FilterNameError: CustomStringConvertible, LocalizedError {
    /// The error as a sentence.
    public var description: String {
        switch self {
        case .unknownFilter(let name, let nearest?, _):
            "There is no filter \"\(name)\"; did you mean \(nearest)?"
        case .unknownFilter(let name, nil, let known):
            "There is no filter \"\(name)\"; there are \(known.joined(separator: ", "))."
        case .unknownParameter(let filter, let name, let known):
            "The filter \(filter) has no parameter \"\(name)\"; it has "
                + (known.isEmpty ? "none." : "\(known.joined(separator: ", ")).")
        case .missingParameter(let filter, let name, let expected):
            "The filter \(filter) needs the parameter \(name): \(expected)."
        case .invalidParameter(let filter, let name, let value, let expected):
            "The parameter \(name) of the filter \(filter) is \(expected), not \"\(value)\"."
        case .repeatedParameter(let filter, let name):
            "The parameter \(name) of the filter \(filter) was given twice."
        case .malformed(let text):
            "A filter is written as NAME or NAME:key=value,key=value, not \"\(text)\"."
        }
    }

    /// The same text as ``description``.
    public var errorDescription: String? { description }
}
