/// What stands in the header bar and in the window list.
struct GalleryTitle: Equatable {
    var title: String
    var subtitle: String

    /// Of the grid.
    init(pictures: Int, failed: Int) {
        title = "Gallery"
        guard pictures > 0 else {
            subtitle = ""
            return
        }
        subtitle = pictures == 1 ? "1 picture" : "\(Self.grouped(pictures)) pictures"
        if failed > 0 { subtitle += "  ·  \(Self.grouped(failed)) failed" }
    }

    /// Of one picture by itself.
    init(_ name: String, at index: Int, of count: Int) {
        title = name
        subtitle = "\(Self.grouped(index + 1)) of \(Self.grouped(count))"
    }

    /// For the desktop's list of windows, in one line.
    var ofWindow: String {
        subtitle.isEmpty
            ? title : "\(title) (\(subtitle.split(separator: "  ·  ").joined(separator: ", ")))"
    }

    /// `2,000`.
    static func grouped(_ number: Int) -> String {
        var digits = String(number)
        var end = digits.count - 3
        while end > 0 {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: end))
            end -= 3
        }
        return digits
    }
}
