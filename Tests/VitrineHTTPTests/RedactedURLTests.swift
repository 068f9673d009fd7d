import FoundationEssentials
import Testing

@testable import VitrineHTTP

@Suite struct RedactedURLTests {
    @Test(
        "Promise 29: URLs for people show no user info and no query values",
        arguments: [
            ("http://h/", "http://h/"),
            ("http://h", "http://h"),
            ("https://me:pw@h:8443/a/b?token=x&n=1#top", "https://h:8443/a/b?token=…&n=…"),
            ("https://me@h/a#secret", "https://h/a"),
            ("https://h/a?token", "https://h/a?…"),
            ("https://h/a?", "https://h/a?"),
            ("https://h/a?x=&&y=a=b", "https://h/a?x=…&&y=…"),
            ("https://h?x=1/2@3", "https://h?x=…"),
            ("https://h/a@b?c=d", "https://h/a@b?c=…"),
            ("http://[::1]:80/x?y=z", "http://[::1]:80/x?y=…"),
            ("file:///home/me/a.png", "file:///home/me/a.png"),
            ("data:image/png;base64,AAAA", "data:…"),
            ("http://me:p\\w@h/a", "http://h/a"),
            ("http://me:p|w[x]@h:80/a@b", "http://h:80/a@b"),
        ])
    func redacts(_ url: String, _ expected: String) throws {
        #expect(try #require(URL(string: url)).redacted == expected)
    }

    @Test func redactsWhatIsNoURL() {
        #expect(redact("http://a b:c@d/?x=secret") == "http://d/?x=…")
        // Of a password that holds what ends an authority.
        #expect(redact("http://me:pw/x@h/y") == "http://…")
        #expect(redact("http://me:pw?x@h/y") == "http://…")
        #expect(redact("http://me:pw#x@h/y") == "http://…")
        #expect(redact("http://[::1]/x") == "http://[::1]/x")
        #expect(redact("http://[::1]:x/y") == "http://…")
        #expect(redact("nonsense") == "nonsense")
        #expect(redact("") == "")
    }
}
