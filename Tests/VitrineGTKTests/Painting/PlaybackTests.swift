import Testing

@testable import VitrineGTK

@Suite struct PlaybackTests {
    private let durations: [Duration] = [.milliseconds(100), .milliseconds(50), .milliseconds(200)]

    private func frame(_ playback: Playback, at milliseconds: UInt64) -> Int {
        playback.position(after: milliseconds * 1_000_000).frame
    }

    @Test("V10: each frame shows for its time, round after round")
    func rounds() {
        let playback = Playback(durations: durations, loopCount: nil)
        let table: [(UInt64, Int)] = [
            (0, 0), (99, 0), (100, 1), (149, 1), (150, 2), (349, 2), (350, 0), (449, 0), (450, 1),
            (350_000, 0), (350_120, 1),
        ]
        for (time, index) in table {
            #expect(frame(playback, at: time) == index, "after \(time) ms")
        }
        #expect(!playback.position(after: .max).isOver)
        #expect(playback.frame(after: 0) == 1)
        #expect(playback.frame(after: 2) == 0)
    }

    @Test("V10: after the last round the last frame stays")
    func ends() {
        let playback = Playback(durations: durations, loopCount: 2)
        #expect(playback.position(after: 349_999_999) == .init(frame: 2, isOver: false))
        #expect(playback.position(after: 499_999_999) == .init(frame: 1, isOver: false))
        #expect(playback.position(after: 500_000_000) == .init(frame: 2, isOver: true))
        #expect(playback.position(after: 700_000_000) == .init(frame: 2, isOver: true))
        #expect(playback.position(after: .max) == .init(frame: 2, isOver: true))
    }

    @Test("V10: a still, no frames, and frames without end move nothing wrong")
    func extremes() {
        for durations in [[], [Duration.zero], [.zero, .zero], [.seconds(1)]] {
            let playback = Playback(durations: durations, loopCount: nil)
            #expect(playback.position(after: 5) == .init(frame: 0, isOver: true))
            #expect(playback.frame(after: 0) == (durations.count > 1 ? 1 : 0))
        }
        let long = Playback(
            durations: [.seconds(Int64.max), .seconds(Int64.max), .seconds(1)], loopCount: nil)
        #expect(long.position(after: 0).frame == 0)
        #expect(long.position(after: .max - 1).frame == 0)
        let negative = Playback(durations: [.seconds(-5), .seconds(1)], loopCount: 0)
        #expect(negative.position(after: 0) == .init(frame: 1, isOver: true))
    }
}
