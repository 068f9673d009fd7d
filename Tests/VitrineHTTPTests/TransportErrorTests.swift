import FoundationEssentials
import Testing

@testable import VitrineHTTP

@Suite struct TransportErrorTests {
    @Test(
        "R6: errors say what happened, with facts",
        arguments: [
            (
                TransportError.invalidURL("http:///x?k=v"),
                "\"http:///x?k=…\" is not a URL that can be fetched."
            ),
            (
                .invalidRequest(reason: "the method is not a token"),
                "The request cannot be sent: the method is not a token."
            ),
            (
                .unsupportedScheme("ftp"),
                "URLs that start with \"ftp:\" cannot be fetched, only http and https."
            ),
            (.dns(host: "a.test"), "The host a.test could not be found."),
            (
                .connect(host: "a.test", port: 80, reason: "Connection refused"),
                "No connection to a.test, port 80, could be made: Connection refused."
            ),
            (
                .tls(host: "a.test", reason: "self-signed certificate"),
                "No secure connection to a.test could be made: self-signed certificate."
            ),
            (
                .proxy(reason: "it answered with status 502"),
                "The proxy could not be used: it answered with status 502."
            ),
            (
                .timeout(phase: .connect, after: .seconds(10)),
                "No connection was made within 10 s."
            ),
            (
                .timeout(phase: .idle, after: .milliseconds(1500)),
                "The server sent nothing for 1.5 s."
            ),
            (
                .timeout(phase: .total, after: .milliseconds(20)),
                "The transfer was not complete after 20 ms."
            ),
            (
                .truncated(received: 512, expected: 1000),
                "The server closed the connection after 512 of 1,000 bytes."
            ),
            (
                .truncated(received: 1, expected: nil),
                "The server closed the connection after 1 byte, before the end."
            ),
            (.connectionLost(received: 0), "The connection was lost before an answer came."),
            (
                .connectionLost(received: 1_234_567),
                "The connection was lost after 1,234,567 bytes."
            ),
            (
                .headerTooLarge(limit: 262_144),
                "The response's header is larger than the limit of 262,144 bytes."
            ),
            (
                .bodyTooLarge(limit: 100),
                "The response's body is larger than the limit of 100 bytes."
            ),
            (
                .badResponse(reason: "no status"),
                "The server's answer is not valid HTTP: no status."
            ),
            (
                .addressForbidden(host: "a.test", address: "127.0.0.1"),
                "The host a.test has the address 127.0.0.1, which may not be connected."
            ),
            (.tooManyRedirects(limit: 10), "The server redirected more than 10 times."),
            (
                .storage(reason: "No space left"),
                "A temporary file could not be used: No space left."
            ),
            (.cancelled, "The transfer was cancelled."),
            (.shutDown, "The transport was shut down."),
            (
                .other(host: "a.test", code: 4, reason: "not built in"),
                "The transfer from a.test failed: not built in (libcurl 4)."
            ),
        ])
    func texts(_ error: TransportError, _ expected: String) {
        #expect(error.description == expected)
        #expect(error.errorDescription == expected)
        #expect("\(error)" == expected)
    }

    @Test("Promise 29: errors with a URL show it without what may be secret")
    func redaction() throws {
        let secret = try url("https://me:pw@example.com/a?token=abc#x")
        #expect(
            "\(TransportError.redirectLoop(secret))"
                == "The server redirects in a circle, back to https://example.com/a?token=…."
        )
        #expect(
            "\(TransportError.redirectRefused(to: secret))"
                == "The server redirects to https://example.com/a?token=…, which may not be followed."
        )
    }
}
