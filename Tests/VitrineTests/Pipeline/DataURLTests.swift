import Testing

@testable import Vitrine

@Suite struct DataURLTests {
    @Test(
        "R7: data URLs",
        arguments: [
            ("data:,Hello%2C%20World!", "Hello, World!"),
            ("data:text/plain;charset=utf-8,a+b", "a+b"),
            ("data:;base64,SGVsbG8=", "Hello"),
            ("data:;base64,SGVsbG8", "Hello"),
            ("DATA:text/plain;BASE64,SGVs%0AbG8%3D", "Hello"),
            ("data:,", ""),
            ("data:,a%23b#fragment", "a#b"),
        ])
    func decodes(url: String, expected: String) throws {
        let url = try #require(URL(string: url))
        let data = try #require(DataURL.decode(url))
        #expect(String(decoding: data, as: UTF8.self) == expected)
    }

    @Test(
        "R7: malformed data URLs",
        arguments: ["data:text/plain", "data:;base64,@@@@", "data:;base64,A", "http://host/,x"])
    func refuses(url: String) throws {
        let url = try #require(URL(string: url))
        #expect(DataURL.decode(url) == nil)
    }
}
