import FoundationEssentials
import OriginSupport
import Testing

@testable import VitrineHTTP

@Suite struct InternationalHostTests {
    @Test(
        "R12: a host beyond ASCII becomes the name that name servers know",
        arguments: [
            ("bücher.example", "xn--bcher-kva.example"),
            ("BÜCHER.Example", "xn--bcher-kva.example"),
            ("例え.テスト", "xn--r8jz45g.xn--zckzah"), ("例え。テスト", "xn--r8jz45g.xn--zckzah"),
            ("www.пример.рф", "www.xn--e1afmkfd.xn--p1ai"), ("straße.de", "xn--strae-oqa.de"),
            ("他们为什么不说中文.com", "xn--ihqwcrb4cv8a8dqg056pqjye.com"),
            ("ليهمابتكلموشعربي؟.com", nil),
            ("ليهمابتكلموشعربي.com", "xn--mgbcah9ar9a4efegftvvn.com"),
            ("pročprostěnemluvíčesky.cz", "xn--proprostnemluvesky-uyb24dma41a.cz"),
            ("１２７.0.0.1", nil), ("ü-.de", nil), ("xn--ü.de", nil), ("a b.ü", nil), ("☃.net", nil),
            (String(repeating: "ü", count: 64) + ".de", nil),
        ] as [(String, String?)])
    func names(_ host: String, _ expected: String?) {
        // As a URL has it; a program with all of Foundation has it in ASCII from the start.
        let escaped = host.utf8.map {
            $0 < 0x80 && $0 > 0x20 ? String(UnicodeScalar($0)) : "%" + String($0, radix: 16)
        }
        #expect(InternationalHost.ascii(escaped.joined()) == expected)
    }

    @Test func whatIsASCIIStaysAsItIs() {
        for host in [
            "example.com", "EXAMPLE.com", "127.0.0.1", "[fe80::1%25lo]", "a_b.example", "%61.de",
        ] {
            #expect(InternationalHost.ascii(host) == host)
        }
        #expect(InternationalHost.ascii("%C3.de") == nil)
        #expect(InternationalHost.ascii("%C3%BC%2F.de") == nil)
        #expect(InternationalHost.ascii("%zz.de") == nil)
    }

    @Test("R12: what is asked for is the name in ASCII, whatever stands before it in the URL")
    func connected() async throws {
        let transport = CurlTransport()
        for target in ["http://b%C3%BCcher.invalid/", "http://b%C3%BCcher:b@b%C3%BCcher.invalid/x"]
        {
            #expect(
                await transport.failure(try url(target)) == .dns(host: "xn--bcher-kva.invalid"))
        }
    }
}
