import DisplaySupport
import OriginSupport
import PixelSupport
import Testing
import Vitrine

@testable import VitrineGTK

/// The main queue on GTK's thread. Each scenario runs in a program of its own, see `Tests/Support/GTKHost`.
@Suite(.serialized) struct MainLoopTests {
    @Test("V14: main-actor code runs on the loop's thread, and an idle loop sleeps")
    func jobs() async throws { try await expectNoFault("jobs") }

    @Test("V14: jobs wait while nobody serves them, and none is lost")
    func detaching() async throws { try await expectNoFault("detach") }

    @Test("V14: a loop within a job serves no other one, neither spins nor loses one")
    func nesting() async throws { try await expectNoFault("nested") }

    @Test("V14: a program is left although tasks go on without end")
    func quitting() async throws {
        #expect(try await expectNoFault("quit") == ["left"])
    }

    @Test("V14: where the loop cannot serve the main queue attaching says so, and nothing traps")
    func elsewhere() async throws {
        try await expectNoFault("elsewhere")
        #expect(try await expectNoFault("parked").first?.contains("asynchronous main") == true)
    }

    @Test("promise 10: results arrive by the loop where nobody serves the main queue, hits at once")
    func results() async throws {
        let origin = try OriginServer.start()
        defer { origin.stop() }
        let bytes = Array(try Fixture.data("scene.png"))
        origin.route("/a.png", .bytes(bytes, headers: [.init("Cache-Control", "max-age=60")]))
        try await expectNoFault("results", origin.address("/a.png"))
        #expect(origin.requestCount == 1)
    }

    @Test("V14, promise 10: drawing without a pause keeps no job and no result from arriving")
    func starving() async throws {
        try await expectNoFault("starved", "attached")
        try await expectNoFault("starved", "alone")
    }

    @Test("V14: drawing, jobs and results without a pause all go on") func contending() async throws
    {
        let lines = try await expectNoFault("contend")
        let frames = lines.first?.split(separator: " ").last.flatMap { Int($0) } ?? 0
        // 400 of them are done, a few in each turn.
        #expect(frames > 30, "\(lines)")
    }

    @Test("V14: a hop is measured both ways")
    func hops() async throws {
        let lines = try await expectNoFault("hops", "20")
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { $0.contains(": p50 ") && $0.hasSuffix("of 20") })
    }

    @Test(
        "V14: an error is a sentence",
        arguments: [MainLoop.AttachError.notOnMainThread, .loopOnAnotherThread])
    func errors(error: MainLoop.AttachError) {
        #expect(error.description.hasSuffix("."))
    }

    @discardableResult
    private func expectNoFault(
        _ scenario: String, _ word: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [String] {
        let outcome =
            if let word { try await HostProgram.run(scenario, word) } else {
                try await HostProgram.run(scenario)
            }
        #expect(outcome.status == 0, "\(outcome.lines)", sourceLocation: sourceLocation)
        return outcome.lines
    }
}

/// The same with windows.
@MainActor @Suite(.serialized) struct WindowedLoopTests {
    init() throws { try TestDisplay.open() }

    @Test("V14: a stream of jobs does not keep a window from being drawn; at priority 0 it would")
    func redrawing() async throws {
        let outcome = try await HostProgram.run("redraw", "\(MainLoop.defaultPriority)")
        #expect(outcome.status == 0)
        #expect(outcome.lines.first?.hasPrefix("frames 30 ") == true, "\(outcome.lines)")
        let starved = try await HostProgram.run("redraw", "0")
        #expect(starved.lines.first?.hasSuffix(" jobs 3000") == true, "\(starved.lines)")
    }

    @Test(
        "V12: an assistive technology reads a picture, and Retry is reached and pressed by keyboard"
    )
    func retrying() async throws {
        let outcome = try await HostProgram.run(
            "accessible",
            accessibly: "see|image|A picture, failed", "focusable|push button|Retry",
            "focused|push button|Retry", "press|push button|Retry", "see|image|A red picture",
            "absent|push button|Retry")
        #expect(outcome.status == 0, "\(outcome.lines)")
        #expect(outcome.lines.filter { $0.hasPrefix("ok ") }.count == 6)
    }
}
