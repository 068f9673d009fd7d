/// Why an SVG is not rendered, although it may be valid: it asks for what can cost without bound, or
/// for what lies outside of it.
public enum SVGRefusal: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// The text is not UTF-8, or the XML declaration names another encoding.
    case encoding
    /// The DOCTYPE declares something itself, as entities do.
    case internalSubset
    /// An entity that XML does not know by itself.
    case entity
    /// An `xml-stylesheet` instruction.
    case styleSheetInstruction
    /// A backslash in CSS, which could hide a name.
    case styleEscape
    /// A rule of CSS that would bring something in, or whose selector is not understood and which
    /// refers to an element.
    case styleRule
    /// A filter is applied.
    case filter
    /// Something is painted with a pattern.
    case pattern
    /// A picture is embedded or referred to.
    case embeddedImage
    /// A reference to something outside of the file.
    case externalReference
    /// An element that contains a reference to itself.
    case circularReference
    /// More than 4,194,304 bytes.
    case tooManyBytes
    /// More than 50,000 elements, or attributes and namespaces without measure.
    case tooManyElements
    /// Elements lie in each other, or refer to each other, more than 64 deep.
    case tooDeep
    /// Shapes, path segments, dashes or letters, multiplied by what repeats them, are more than can be
    /// rendered at this size in a bounded time.
    case tooComplex
    /// Rendering took longer than ``DecodeLimits/maximumRenderTime``.
    case takesTooLong

    /// The reason as a part of a sentence.
    public var description: String {
        switch self {
        case .encoding: "its text is not UTF-8"
        case .internalSubset: "its DOCTYPE declares something"
        case .entity: "it uses an entity that XML does not know"
        case .styleSheetInstruction: "it asks for a style sheet"
        case .styleEscape: "its style has a backslash"
        case .styleRule: "its style has a rule that is not understood"
        case .filter: "it applies a filter"
        case .pattern: "it paints with a pattern"
        case .embeddedImage: "it contains another picture"
        case .externalReference: "it refers to something outside of it"
        case .circularReference: "an element refers to itself"
        case .tooManyBytes: "it has too many bytes"
        case .tooManyElements: "it has too many elements"
        case .tooDeep: "its elements lie too deep in each other"
        case .tooComplex: "it is too complex for this size"
        case .takesTooLong: "rendering it takes too long"
        }
    }
}
