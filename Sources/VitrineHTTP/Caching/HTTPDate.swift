/// HTTP's three date formats (RFC 9110, section 5.6.7), read strictly.
///
/// Nothing here knows a time zone but GMT, which is all that the format allows.
package enum HTTPDate {
    /// Seconds since 1970 of a date in any of the three formats; nil if it is in none of them.
    ///
    /// A two-digit year of the obsolete RFC 850 form that lies more than 50 years after `now`
    /// belongs to the century before.
    package static func parse(_ text: String, now: Double) -> Double? {
        // Beyond the year 9999 nothing here means anything, and a whole number may not hold it.
        guard abs(now) < 253_402_300_800 else { return nil }
        let parts = text.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
        if text.contains(",") {
            if parts.count == 6, parts[5] == "GMT", isDayName(parts[0], long: false) {
                // Sun, 06 Nov 1994 08:49:37 GMT
                guard parts[1].count == 2, parts[3].count == 4 else { return nil }
                return seconds(day: parts[1], month: parts[2], year: number(parts[3]), parts[4])
            }
            // Sunday, 06-Nov-94 08:49:37 GMT
            guard parts.count == 4, parts[3] == "GMT", isDayName(parts[0], long: true) else {
                return nil
            }
            let date = parts[1].split(separator: "-").map(String.init)
            guard date.count == 3, date[2].count == 2, var year = number(date[2]) else {
                return nil
            }
            let current = civil(daysSince1970: Int((now / 86_400).rounded(.down))).year
            year += current / 100 * 100
            if year > current + 50 { year -= 100 }
            return seconds(day: date[0], month: date[1], year: year, parts[2])
        }
        // Sun Nov  6 08:49:37 1994
        guard parts.count == 5, parts[4].count == 4, isDayName(parts[0], long: false) else {
            return nil
        }
        return seconds(day: parts[2], month: parts[1], year: number(parts[4]), parts[3])
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let days = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    private static func isDayName(_ text: String, long: Bool) -> Bool {
        days.contains { long ? $0 == text : $0.prefix(3) == text }
    }

    private static func number(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    private static func seconds(
        day: String, month: String, year: Int?, _ time: String
    ) -> Double? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let day = number(day), let year, let month = months.firstIndex(of: month),
            clock.count == 3, clock.allSatisfy({ $0.count == 2 }),
            let hour = number(clock[0]), let minute = number(clock[1]),
            let second = number(clock[2]),
            (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        let days = daysSince1970(year: year, month: month + 1, day: day)
        guard civil(daysSince1970: days).day == day else { return nil }  // 31 Feb
        return Double(days * 86_400 + hour * 3600 + minute * 60 + second)
    }

    /// The proleptic Gregorian calendar, with years that begin in March so that leap days come last.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func civil(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let days = days + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthIndex = (5 * dayOfYear + 2) / 153
        let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthIndex + 2) / 5 + 1)
    }
}
