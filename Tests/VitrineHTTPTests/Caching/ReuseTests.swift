import Testing

@testable import VitrineHTTP

@Suite struct ReuseTests {
    private let now = 1_767_225_600.0

    private func reuse(
        _ control: String, after seconds: Double, _ request: String = "",
        _ policy: CachePolicy = .standard, status: Int = 200
    ) throws -> Reuse {
        let head = try head(status, fields("Cache-Control: \(control)"))
        return Reuse.of(
            head, head.freshness, for: fields("Cache-Control: \(request)"), policy: policy,
            now: now + seconds)
    }

    @Test(
        "C11: what a stored response is good for under the standard policy",
        arguments: [
            ("max-age=60", 59, .answer), ("max-age=60", 60, .ask), ("max-age=0", 0, .ask),
            ("no-cache, max-age=60", 0, .ask), ("no-cache=\"a\", max-age=60", 0, .answer),
            ("must-revalidate, max-age=60", 59, .answer), ("must-revalidate, max-age=60", 61, .ask),
            ("immutable, max-age=60", 61, .ask),
            ("max-age=60, stale-while-revalidate=10", 59, .answer),
            ("max-age=60, stale-while-revalidate=10", 65, .answerAndRefresh),
            ("max-age=60, stale-while-revalidate=10", 71, .ask),
            ("max-age=60, stale-while-revalidate=x", 65, .ask),
            ("max-age=60, stale-while-revalidate=10, must-revalidate", 65, .ask),
            ("max-age=60, stale-while-revalidate=10, no-cache", 5, .ask),
            ("max-age=60, stale-if-error=10", 65, .ask), ("", 0, .ask),
        ] as [(String, Double, Reuse)])
    func standard(control: String, seconds: Double, expected: Reuse) throws {
        #expect(try reuse(control, after: seconds) == expected)
    }

    @Test(
        "C11: what the request says (RFC 9111, section 5.2.1)",
        arguments: [
            ("max-age=100", 10, "no-cache", .ask), ("max-age=100", 10, "max-age=0", .ask),
            ("max-age=100", 10, "max-age=10", .answer), ("max-age=100", 10, "max-age=9", .ask),
            ("max-age=100", 10, "max-age=nonsense", .ask),
            ("max-age=100", 10, "min-fresh=90", .answer), ("max-age=100", 10, "min-fresh=91", .ask),
            ("max-age=100", 10, "min-fresh=nonsense", .ask),
            ("max-age=5", 10, "max-stale", .answer), ("max-age=5", 10, "max-stale=5", .answer),
            ("max-age=5", 10, "max-stale=4", .ask), ("max-age=5", 10, "max-stale=nonsense", .ask),
            ("max-age=5, must-revalidate", 10, "max-stale", .ask),
            ("max-age=5, no-cache", 10, "max-stale", .ask),
            ("max-age=5", 10, "max-age=20, max-stale=10", .answer),
            ("max-age=5, stale-while-revalidate=60", 10, "max-age=20", .ask),
            ("max-age=5, stale-while-revalidate=60", 10, "min-fresh=1", .ask),
            ("max-age=100", 10, "no-store, only-if-cached, x", .answer),
        ] as [(String, Double, String, Reuse)])
    func directives(control: String, seconds: Double, request: String, expected: Reuse) throws {
        #expect(try reuse(control, after: seconds, request) == expected)
    }

    @Test("C11: Pragma says nothing to a cache any more (RFC 9111, section 5.4)") func pragma()
        throws
    {
        let head = try head(fields("Cache-Control: max-age=60", "Pragma: no-cache"))
        #expect(
            Reuse.of(
                head, head.freshness, for: fields("Pragma: no-cache"), policy: .standard, now: now)
                == .answer)
    }

    @Test(
        "C6: the other policies (promise 13, RFC 8246)",
        arguments: [
            (.revalidate, "max-age=60", 10, 200, .ask),
            (.revalidate, "max-age=60, immutable", 10, 200, .answer),
            (.revalidate, "max-age=60, immutable", 60, 200, .ask),
            (.revalidate, "max-age=5, stale-while-revalidate=60", 10, 200, .ask),
            (.cacheElseLoad, "no-cache", 1e9, 200, .answer),
            (.cacheElseLoad, "max-age=60", 60, 404, .ask),
            (.cacheElseLoad, "max-age=60", 59, 404, .answer),
            (.cacheOnly, "max-age=5, must-revalidate", 1e9, 200, .answer),
            (.reload, "max-age=60, immutable", 0, 200, .ask),
            (.bypass, "max-age=60, immutable", 0, 200, .ask),
        ] as [(CachePolicy, String, Double, Int, Reuse)])
    func policies(
        policy: CachePolicy, control: String, seconds: Double, status: Int, expected: Reuse
    ) throws {
        #expect(try reuse(control, after: seconds, "", policy, status: status) == expected)
    }
}

@Suite struct StaleAnswerTests {
    private let now = 1_767_225_600.0

    @Test(
        "C11: who may answer when the server does not (RFC 9111, 4.2.4; RFC 5861, section 4)",
        arguments: [
            ("max-age=5", "", 200, true, false), ("max-age=5", "", 206, false, false),
            ("max-age=5", "", 404, false, false), ("max-age=5", "", 301, true, false),
            ("max-age=5, stale-if-error=60", "", 200, true, true),
            ("max-age=5, stale-if-error=50", "", 200, true, true),
            ("max-age=5, stale-if-error=49", "", 200, false, false),
            ("max-age=5", "stale-if-error=60", 200, true, true),
            ("max-age=5, stale-if-error=60, must-revalidate", "", 200, false, false),
            ("max-age=5, stale-if-error=60, no-cache", "", 200, false, false),
            ("max-age=5, stale-if-error=60", "no-cache", 200, false, false),
            ("max-age=5, stale-if-error=60", "max-age=20", 200, false, false),
            ("max-age=5", "min-fresh=5", 200, false, false),
        ])
    func allowed(
        control: String, request: String, status: Int, disconnected: Bool, faulty: Bool
    ) throws {
        let head = try head(status, fields("Cache-Control: \(control)"))
        let asked = fields("Cache-Control: \(request)")
        for (failure, expected) in [
            (StaleAnswer.Failure.disconnected, disconnected), (.faulty, faulty),
        ] {
            #expect(
                StaleAnswer.isAllowed(head, for: asked, after: failure, now: now + 55) == expected)
        }
    }

    @Test("C11: which failures are the server's") func failures() throws {
        let here = try url("http://a.test/")
        for error: TransportError in [
            .dns(host: "a"), .connect(host: "a", port: 1, reason: ""), .connectionLost(received: 0),
            .timeout(phase: .idle, after: .seconds(1)), .truncated(received: 1, expected: 2),
        ] {
            #expect(StaleAnswer.failure(error) == .disconnected)
        }
        #expect(StaleAnswer.failure(.badResponse(reason: "")) == .faulty)
        for error: TransportError in [
            .cancelled, .shutDown, .tls(host: "a", reason: ""), .bodyTooLarge(limit: 1),
            .addressForbidden(host: "a", address: "b"), .redirectLoop(here), .invalidURL("a"),
        ] {
            #expect(StaleAnswer.failure(error) == nil)
        }
        #expect([500, 502, 503, 504].allSatisfy { StaleAnswer.failure(status: $0) == .faulty })
        #expect([200, 404, 501, 505].allSatisfy { StaleAnswer.failure(status: $0) == nil })
    }
}
