/// Why some files do not give what is expected of them.
enum KnownDeviations {
    static func reason(corpus: String, file: String) -> String? {
        list["\(corpus)/\(file)"]
    }

    private static let list: [String: String] = [:]
}
