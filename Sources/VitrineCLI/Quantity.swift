/// Sizes and times as people write them.
enum Quantity {
    /// `500`, `500KB`, `1.5GB`: powers of 1000, or of 1024 as `MiB`; in bytes.
    static func bytes(_ text: String, of option: String) throws(UsageError) -> Int {
        let units: [String: Double] = [
            "b": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9,
            "kib": 1024, "mib": 1_048_576, "gib": 1_073_741_824,
        ]
        guard let value = value(text, units) else {
            throw UsageError("\(option) takes a size such as 500KB or 20MB, not \"\(text)\".")
        }
        return Int(value)
    }

    /// `30`, `0.5`, `90s`, `2m`: more than nothing, at most a week.
    static func seconds(_ text: String, of option: String) throws(UsageError) -> Duration {
        guard let value = value(text, ["": 1, "s": 1, "m": 60, "h": 3600]), value >= 0.001,
            value <= 604_800
        else {
            throw UsageError("\(option) takes seconds such as 30 or 0.5, or 2m, not \"\(text)\".")
        }
        return .seconds(value)
    }

    /// `90s`, `15m`, `12h`, `30d`, `2w`.
    static func time(_ text: String, of option: String) throws(UsageError) -> Duration {
        let units: [String: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        guard let value = value(text, units) else {
            throw UsageError("\(option) takes a time such as 12h or 30d, not \"\(text)\".")
        }
        return .seconds(value)
    }

    /// A number from 0 on with one of the units, in whole or with a point; at most 1e15.
    private static func value(_ text: String, _ units: [String: Double]) -> Double? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let number = Double(digits), number.isFinite,
            let unit = units[text.dropFirst(digits.count).lowercased()]
        else { return nil }
        return min(number * unit, 1e15)
    }
}
