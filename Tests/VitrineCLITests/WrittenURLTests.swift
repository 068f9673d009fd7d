import FoundationEssentials
import PictureLists
import Testing

@Suite struct WrittenURLTests {
    @Test(
        "P1: what a URL cannot hold is escaped, and what is escaped already stays",
        arguments: [
            ("http://h/ok%20ä.png", "http://h/ok%20%C3%A4.png"),
            ("http://h/ok%20a|b.png", "http://h/ok%20a%7Cb.png"),
            ("http://h/ok%20[1].png", "http://h/ok%20%5B1%5D.png"),
            ("http://h/?x=%7C|&y=%c3", "http://h/?x=%7C%7C&y=%c3"),
            ("http://h?x=%7C|", "http://h?x=%7C%7C"),
            ("http://h/100%|a", "http://h/100%25%7Ca"),
            ("http://h/100%", "http://h/100%25"),
            ("http://h/%2", "http://h/%252"),
            ("http://h/%20#a%20#b", "http://h/%20#a%20%23b"),
            ("http://h/%20\u{1}\\", "http://h/%20%01%5C"),
            ("http://[::1]:80/%20 ", "http://[::1]:80/%20%20"),
            ("http://me:p%40w@h/%20ä", "http://me:p%40w@h/%20%C3%A4"),
            ("%", "%25"), ("a:%", "a:%25"),
            ("http://h", "http://h"), ("http://h/ä b", "http://h/%C3%A4%20b"),
            ("file:///a%20ä.png", "file:///a%20%C3%A4.png"),
            ("data:image/svg+xml,%3Csvg a='ä'>", "data:image/svg+xml,%3Csvg%20a='%C3%A4'%3E"),
        ])
    func escapes(text: String, expected: String) {
        #expect(URL(written: text)?.absoluteString == expected)
    }

    @Test("P1: a text that is no URL is none", arguments: ["http://[x/%20", "http://h:x/%20"])
    func nothing(text: String) { #expect(URL(written: text) == nil) }
}
