import FoundationEssentials
import Testing
import VitrineHTTP

@testable import Vitrine

@Suite struct RetryTableTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let reason: ImageError.Reason
        let verdict: RetryTable.Verdict
        var serverSaysWhen = false

        var testDescription: String { "\(reason)" }
    }

    /// Those of RFC 9110, section 15, that a load may end with, and others.
    private static let statuses: [(Int, RetryTable.Verdict)] = [
        (408, .ifIdempotent), (425, .always), (429, .always), (500, .ifIdempotent),
        (502, .ifIdempotent), (503, .ifIdempotent), (504, .ifIdempotent),
    ]
    private static let hopeless = [
        204, 206, 301, 304, 400, 401, 403, 404, 405, 406, 407, 409, 410, 412, 413, 415, 416, 421,
        422, 451, 501, 505, 507, 511, 999,
    ]
    private static let transport: [(TransportError, RetryTable.Verdict)] = [
        (.dns(host: "h"), .always),
        (.connect(host: "h", port: 80, reason: "refused"), .always),
        (.timeout(phase: .connect, after: .seconds(1)), .always),
        (.timeout(phase: .idle, after: .seconds(1)), .ifIdempotent),
        (.timeout(phase: .total, after: .seconds(1)), .never),
        (.tooSlow(bytesPerSecond: 100, over: .seconds(60)), .never),
        (.truncated(received: 1, expected: 2), .ifIdempotent),
        (.truncated(received: 1, expected: nil), .ifIdempotent),
        (.connectionLost(received: 0), .ifIdempotent),
        (.tls(host: "h", reason: "expired"), .never), (.proxy(reason: "none"), .never),
        (.badResponse(reason: "no HTTP"), .never),
        (.headerTooLarge(limit: 1), .never), (.bodyTooLarge(limit: 1), .never),
        (.tooManyRedirects(limit: 1), .never), (.redirectLoop(url), .never),
        (.redirectRefused(to: url), .never),
        (.addressForbidden(host: "h", address: "::1"), .never),
        (.invalidURL("x"), .never), (.invalidRequest(reason: "x"), .never),
        (.unsupportedScheme("x"), .never), (.storage(reason: "full"), .never),
        (.cacheMiss, .never), (.cancelled, .never), (.shutDown, .never),
        (.other(host: "h", code: 1, reason: "x"), .never),
    ]
    private static let others: [ImageError.Reason] = [
        .cancelled, .invalidURL("x"), .unsupportedScheme("x"),
        .imaging(.notAnImage(found: "text")), .file(path: "/x", why: "x"), .invalidScale(0),
        .contentType("text/html"), .contentType(nil), .cacheMiss, .unknownGroup("x"),
        .groupNameTooLong(bytes: 5000, limit: 4096), .deadlinePassed(.seconds(1)), .modifier("x"),
    ]

    static let table: [Row] = {
        var rows = statuses.map { Row(reason: .status($0), verdict: $1) }
        rows += hopeless.map { Row(reason: .status($0), verdict: .never) }
        rows.append(Row(reason: .status(503), verdict: .always, serverSaysWhen: true))
        rows.append(Row(reason: .status(500), verdict: .ifIdempotent, serverSaysWhen: true))
        rows.append(Row(reason: .status(404), verdict: .never, serverSaysWhen: true))
        rows += transport.map { Row(reason: .transport($0), verdict: $1) }
        rows += others.map { Row(reason: $0, verdict: .never) }
        return rows
    }()

    private static let url = URL(filePath: "/")

    @Test("R10: each failure, as a table", arguments: table) func rows(row: Row) {
        #expect(
            RetryTable.verdict(row.reason, serverSaysWhen: row.serverSaysWhen) == row.verdict)
        for method in ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"] {
            #expect(mayHelp(row, method) == (row.verdict != .never))
        }
        for method in ["POST", "PATCH", "get", "WHATEVER", ""] {
            #expect(mayHelp(row, method) == (row.verdict == .always))
        }
    }

    private func mayHelp(_ row: Row, _ method: String) -> Bool {
        RetryTable.mayHelp(
            after: row.reason, method: HTTP.Method(rawValue: method),
            serverSaysWhen: row.serverSaysWhen)
    }
}
