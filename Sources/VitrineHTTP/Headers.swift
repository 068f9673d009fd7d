extension HTTP {
    /// Header fields in the order in which they were sent.
    ///
    /// Names are compared without regard to case (RFC 9110 §5.1); several lines of one name are kept
    /// as they are. Two values are equal if they hold equal fields in equal order. A look-up costs
    /// time in proportion to the number of fields.
    public struct Headers: Sendable, Hashable, Sequence, ExpressibleByDictionaryLiteral,
        CustomStringConvertible, CustomReflectable
    {
        /// One line of a header section.
        public struct Field: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
            /// The name as it was written.
            public let name: String
            /// The value without white space around it.
            public let value: String

            /// A field as it is to be sent.
            public init(name: String, value: String) {
                self.name = name
                self.value = value
            }

            /// Names are equal without regard to case (RFC 9110, section 5.1), values as they are.
            public static func == (lhs: Field, rhs: Field) -> Bool {
                lhs.isNamed(rhs.name) && lhs.value == rhs.value
            }

            /// As ``==(_:_:)`` compares.
            public func hash(into hasher: inout Hasher) {
                hasher.combine(name.lowercased())
                hasher.combine(value)
            }

            /// `name: value`, the value of a secret one as `…`.
            public var description: String {
                let isSecret = HTTP.secretHeaderNames.contains(name.lowercased())
                return "\(name): \(isSecret ? "…" : value)"
            }

            /// Nothing below the description.
            public var customMirror: Mirror { Mirror(self, children: []) }

            func isNamed(_ other: String) -> Bool { equalsIgnoringCase(name, other) }
        }

        private var fields: [Field] = []

        /// No fields.
        public init() {}

        /// The fields in the order given; a name may occur more than once.
        public init(dictionaryLiteral elements: (String, String)...) {
            fields = elements.map { Field(name: $0.0, value: $0.1) }
        }

        /// These fields, in their order.
        init(_ fields: [Field]) { self.fields = fields }

        /// All values of a name, joined with `", "` (RFC 9110 §5.3), or nil if there is none.
        ///
        /// Setting replaces all lines of that name by one, or removes them. `Set-Cookie` must not be
        /// joined; use ``values(for:)``.
        public subscript(name: String) -> String? {
            get {
                let values = values(for: name)
                return values.isEmpty ? nil : values.joined(separator: ", ")
            }
            set {
                let place = fields.firstIndex { $0.isNamed(name) }
                remove(name)
                guard let newValue else { return }
                fields.insert(
                    Field(name: name, value: newValue),
                    at: Swift.min(place ?? fields.count, fields.count))
            }
        }

        /// The value of each line of a name, in order.
        public func values(for name: String) -> [String] {
            fields.compactMap { $0.isNamed(name) ? $0.value : nil }
        }

        /// The value of the first line of a name: what counts where a field that may come once comes
        /// twice.
        func first(_ name: String) -> String? { fields.first { $0.isNamed(name) }?.value }

        /// Each name in lower case with its value, several lines of it joined; takes time in proportion
        /// to their number, however many a server sends.
        package var joined: [String: String] {
            var values: [String: [String]] = [:]
            for field in fields { values[field.name.lowercased(), default: []].append(field.value) }
            return values.mapValues { $0.joined(separator: ", ") }
        }

        /// Adds a line after all others.
        public mutating func add(_ name: String, _ value: String) {
            fields.append(Field(name: name, value: value))
        }

        /// Removes all lines of a name.
        public mutating func remove(_ name: String) {
            fields.removeAll { $0.isNamed(name) }
        }

        /// Whether there is a line of that name.
        public func contains(_ name: String) -> Bool {
            fields.contains { $0.isNamed(name) }
        }

        /// The number of lines.
        public var count: Int { fields.count }

        /// Whether there is no line at all.
        public var isEmpty: Bool { fields.isEmpty }

        /// The lines in their order, those of one name included as often as they stand there.
        public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }

        /// One line for each field, the values of well-known secret fields as `…`.
        public var description: String {
            fields.map(\.description).joined(separator: "\n")
        }

        /// Nothing below the description.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// The names, in lower case, that are secret in every request and response.
    static let secretHeaderNames: Set<String> = [
        "authorization", "cookie", "proxy-authorization", "set-cookie",
    ]
}

/// Whether two texts are equal but for the case of ASCII letters. By bytes, since every look-up in a
/// header comes by here.
private func equalsIgnoringCase(_ first: String, _ second: String) -> Bool {
    func lowercase(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }
    guard first.utf8.count == second.utf8.count else { return false }
    let isEqual = first.utf8.withContiguousStorageIfAvailable { first in
        second.utf8.withContiguousStorageIfAvailable { second in
            for index in first.indices
            where first[index] != second[index]
                && lowercase(first[index]) != lowercase(second[index])
            {
                return false
            }
            return true
        }
    }
    return (isEqual ?? nil)
        ?? zip(first.utf8, second.utf8).allSatisfy { lowercase($0) == lowercase($1) }
}
