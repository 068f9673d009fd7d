/// A request as an ``OriginServer`` saw it.
package struct OriginRequest: Sendable {
    package let method: String
    /// The request target as it was sent; through a proxy a whole URL.
    package let target: String
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]
    /// Which connection it came on, counted from 0.
    package let connection: Int
    /// How many requests that connection had before.
    package let indexOnConnection: Int
    /// The head as text.
    package let head: String

    /// The target's path, without query.
    package var path: String {
        var rest = target[...]
        if let scheme = rest.firstRange(of: "://") {
            rest = rest[scheme.upperBound...].drop { $0 != "/" }
        }
        return String(rest.prefix { $0 != "?" })
    }

    /// The value of the first line of that name.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Parses a head that ends in an empty line; nil if it is none.
    init?(head: String, body: [UInt8], connection: Int, index: Int) {
        let lines = head.split(separator: "\r\n", omittingEmptySubsequences: true)
        guard let first = lines.first else { return nil }
        let parts = first.split(separator: " ")
        guard parts.count == 3 else { return nil }
        method = String(parts[0])
        target = String(parts[1])
        headers = lines.dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return (String(line[..<colon]), String(value))
        }
        self.body = body
        self.connection = connection
        indexOnConnection = index
        self.head = head
    }
}
