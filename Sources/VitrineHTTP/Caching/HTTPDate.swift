/// HTTP's three date formats (RFC 9110, section 5.6.7), read strictly but for letter case, which
/// RFC 9111, section 4.2, has caches ignore.
///
/// Nothing here knows a time zone but GMT, which is all that the format allows.
enum HTTPDate {
    /// Seconds since 1970 of a date in any of the three formats; nil if it is in none of them.
    ///
    /// A two-digit year of the obsolete RFC 850 form that lies more than 50 years after `now`
    /// belongs to the century before.
    static func parse(_ text: String, now: Double) -> Double? {
        // Beyond the year 9999 nothing here means anything, and a whole number may not hold it.
        guard abs(now) < 253_402_300_800, text.utf8.count <= 40 else { return nil }
        var reader = DateReader(text)
        guard let day = reader.dayName() else { return nil }
        var date = CivilDate()
        if day.isLong {
            // Sunday, 06-Nov-94 08:49:37 GMT
            guard reader.take(", "), let number = reader.digits(2), reader.take("-"),
                let month = reader.monthName(), reader.take("-"), let year = reader.digits(2),
                reader.take(" "), reader.time(&date), reader.take(" gmt")
            else { return nil }
            let current = CivilDate(daysSince1970: Int((now / 86_400).rounded(.down))).year
            date.year = current / 100 * 100 + year
            if date.year > current + 50 { date.year -= 100 }
            (date.month, date.day) = (month, number)
        } else if reader.take(", ") {
            // Sun, 06 Nov 1994 08:49:37 GMT
            guard let number = reader.digits(2), reader.take(" "), let month = reader.monthName(),
                reader.take(" "), let year = reader.digits(4), reader.take(" "),
                reader.time(&date), reader.take(" gmt")
            else { return nil }
            (date.year, date.month, date.day) = (year, month, number)
        } else {
            // Sun Nov  6 08:49:37 1994
            guard reader.take(" "), let month = reader.monthName(), reader.take(" "),
                let number = reader.take(" ") ? reader.digits(1) : reader.digits(2),
                reader.take(" "), reader.time(&date), reader.take(" "),
                let year = reader.digits(4)
            else { return nil }
            (date.year, date.month, date.day) = (year, month, number)
        }
        guard reader.isAtEnd else { return nil }
        return date.secondsSince1970
    }

    /// The date in the one format that may be written; nil outside the years 1 to 9999.
    static func format(_ seconds: Double) -> String? {
        guard seconds.isFinite, (-62_135_596_800..<253_402_300_800).contains(seconds) else {
            return nil
        }
        let whole = Int(seconds.rounded(.down))
        let days = Int((Double(whole) / 86_400).rounded(.down))
        let date = CivilDate(daysSince1970: days)
        let second = whole - days * 86_400
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let weekday = DateReader.days[((days % 7) + 10) % 7].prefix(3)  // day 0 was a Thursday
        let month = DateReader.months[date.month - 1]
        let time = [second / 3600, second / 60 % 60, second % 60].map { padded($0, 2) }
        return "\(weekday), \(padded(date.day, 2)) \(month) \(padded(date.year, 4)) "
            + time.joined(separator: ":") + " GMT"
    }
}

/// Takes the parts of a date from its bytes, one after the other.
private struct DateReader {
    static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    static let days = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    private static let monthNames = months.map { Array($0.lowercased().utf8) }
    private static let dayNames = days.map { Array($0.lowercased().utf8) }

    private let bytes: [UInt8]
    private var place = 0

    /// Reads the text in lower case.
    init(_ text: String) {
        bytes = text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    var isAtEnd: Bool { place == bytes.count }

    /// Takes the text, which is in lower case, if it comes next.
    mutating func take(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { take($0) }
    }

    private mutating func take(_ text: some Collection<UInt8>) -> Bool {
        guard text.count <= bytes.count - place, bytes[place...].starts(with: text) else {
            return false
        }
        place += text.count
        return true
    }

    mutating func digits(_ count: Int) -> Int? {
        guard count <= bytes.count - place else { return nil }
        var number = 0
        for byte in bytes[place..<place + count] {
            guard (0x30...0x39).contains(byte) else { return nil }
            number = number * 10 + Int(byte - 0x30)
        }
        place += count
        return number
    }

    mutating func monthName() -> Int? {
        for (index, name) in Self.monthNames.enumerated() where take(name) { return index + 1 }
        return nil
    }

    mutating func dayName() -> (isLong: Bool, index: Int)? {
        for (index, name) in Self.dayNames.enumerated() {
            if take(name) { return (true, index) }
            if take(name.prefix(3)) { return (false, index) }
        }
        return nil
    }

    /// `08:49:37`; a leap second is a second like others.
    mutating func time(_ date: inout CivilDate) -> Bool {
        guard let hour = digits(2), take(":"), let minute = digits(2), take(":"),
            let second = digits(2), hour < 24, minute < 60, second <= 60
        else { return false }
        date.secondOfDay = hour * 3600 + minute * 60 + second
        return true
    }
}

/// A day of the proleptic Gregorian calendar, and a second of it.
private struct CivilDate {
    var year = 1970
    var month = 1
    var day = 1
    var secondOfDay = 0

    init() {}

    init(daysSince1970 days: Int) {
        let days = days + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthIndex = (5 * dayOfYear + 2) / 153
        month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * monthIndex + 2) / 5 + 1
    }

    /// Nil for a day that the month does not have.
    var secondsSince1970: Double? {
        guard (1...31).contains(day) else { return nil }
        let days = daysSince1970
        guard CivilDate(daysSince1970: days).day == day else { return nil }  // 31 Feb
        return Double(days * 86_400 + secondOfDay)
    }

    /// Years begin in March here, so that leap days come last.
    private var daysSince1970: Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
