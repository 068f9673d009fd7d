import DisplaySupport
import Testing

/// `URLImage` as assistive technology meets it, in a program where nobody serves the main queue.
@MainActor @Suite(.serialized) struct URLImageAccessTests {
    init() throws { try TestDisplay.open() }

    @Test(
        "V12: the failure is read, Retry is pressed, and the picture has a name and a description")
    func retry() async throws {
        let reason = "The data is not an image: it is empty."
        let outcome = try await HostProgram.run(
            "urlimage",
            accessibly: "describe|panel|A red picture|\(reason)", "see|label|\(reason)",
            "focused|push button|Retry", "press|push button|Retry",
            "describe|image|A red picture|One red pixel", "absent|push button|Retry",
            "absent|panel|A red picture")
        #expect(outcome.status == 0, "\(outcome.lines)")
        #expect(outcome.lines.filter { $0.hasPrefix("ok ") }.count == 7, "\(outcome.lines)")
    }
}
