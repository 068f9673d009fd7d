import DeterminismSupport
import Testing
import VitrineBase
import VitrineHTTP

@testable import Vitrine

@Suite struct RetryLifeTests {
    private static let second: UInt64 = 1_000_000_000
    private static let start: UInt64 = 5_000_000_000

    private func failure(
        _ reason: ImageError.Reason = .status(503), _ method: HTTP.Method = .get,
        retryAfter: Double? = nil
    ) -> RetryLife.Failure {
        RetryLife.Failure(reason: reason, method: method, retryAfter: retryAfter)
    }

    /// The waits, in seconds, between as many attempts as there are if each fails at once.
    private func waits(
        _ policy: ImageRequest.Retry, chance: Double = 1, _ failure: RetryLife.Failure
    ) -> [Double] {
        var life = RetryLife()
        var now = Self.start
        var waits: [Double] = []
        var action = life.start(at: now)
        while action == .attempt, waits.count < 100 {
            action = life.failed(failure, under: policy, at: now, chance: chance)
            guard case .wait(let moment) = action else { break }
            waits.append(Double(moment - now) / 1e9)
            now = moment
            action = life.waited(at: now)
        }
        #expect(life.attempts == waits.count + 1)
        #expect(action == .giveUp)
        return waits
    }

    @Test("R10: the waits double, up to the longest, and chance takes up to a half off")
    func backoff() {
        let policy = ImageRequest.Retry(
            attempts: 7, firstDelay: .seconds(1), longestDelay: .seconds(10),
            longestTime: .seconds(1000))
        #expect(waits(policy, failure()) == [1, 2, 4, 8, 10, 10])
        #expect(waits(policy, chance: 0, failure()) == [0.5, 1, 2, 4, 5, 5])
        #expect(waits(policy, chance: 0.5, failure()) == [0.75, 1.5, 3, 6, 7.5, 7.5])
        #expect(waits(.none, failure()) == [])
        #expect(waits(policy, failure(.status(404))) == [])
        #expect(waits(policy, failure(.status(503), .post)) == [])
    }

    @Test("R10: Retry-After is waited for, if it is not too long")
    func retryAfter() {
        let policy = ImageRequest.Retry(
            attempts: 3, firstDelay: .seconds(1), longestDelay: .seconds(10))
        #expect(waits(policy, failure(retryAfter: 7)) == [7, 7])
        #expect(waits(policy, failure(retryAfter: 1.5)) == [1.5, 2])
        #expect(waits(policy, failure(retryAfter: 0)) == [1, 2])
        #expect(waits(policy, failure(retryAfter: 10)) == [10, 10])
        #expect(waits(policy, failure(retryAfter: 10.1)) == [])
        #expect(waits(policy, failure(.status(503), .post, retryAfter: 2)) == [2, 2])
    }

    @Test("R10: no attempt begins after the longest time")
    func longestTime() {
        var policy = ImageRequest.Retry(
            attempts: 100, firstDelay: .seconds(10), longestDelay: .seconds(10),
            longestTime: .seconds(35))
        #expect(waits(policy, failure()) == [10, 10, 10])
        policy.longestTime = .zero
        #expect(waits(policy, failure()) == [])
    }

    @Test("R10: nothing traps: times without end, below zero, no numbers")
    func extremes() {
        let times: [Duration] = [
            .seconds(Int64.min), .seconds(-1), .zero, .nanoseconds(1), .seconds(Int64.max),
        ]
        for first in times {
            for longest in times {
                for total in times {
                    for chance in [-1, 0, 0.3, 1, 7, .nan, .infinity] {
                        for after in [nil, -5, 0, 1e300, .nan, .infinity] as [Double?] {
                            for now in [0, Self.start, .max] {
                                let policy = ImageRequest.Retry(
                                    attempts: .max, firstDelay: first, longestDelay: longest,
                                    longestTime: total)
                                var life = RetryLife()
                                _ = life.start(at: now)
                                let action = life.failed(
                                    failure(retryAfter: after), under: policy, at: now,
                                    chance: chance)
                                if case .wait(let moment) = action { #expect(moment >= now) }
                            }
                        }
                    }
                }
            }
        }
        let policy = ImageRequest.Retry(
            attempts: 100, firstDelay: .nanoseconds(1), longestDelay: .seconds(Int64.max),
            longestTime: .seconds(Int64.max))
        let doubled = waits(policy, failure())
        #expect(doubled.count > 60 && doubled == doubled.sorted(), "far beyond what can be counted")
        #expect(waits(ImageRequest.Retry(attempts: .min), failure()) == [])
    }

    @Test("R10: events at the wrong time change nothing")
    func wrongEvents() {
        var life = RetryLife()
        var action = life.failed(failure(), under: .init(), at: 0, chance: 0)
        #expect(action == .giveUp && life.attempts == 0)
        action = life.waited(at: 0)
        #expect(action == .giveUp)
        action = life.start(at: 0)
        #expect(action == .attempt)
        action = life.start(at: 1)
        #expect(action == .giveUp && life.attempts == 1)
        action = life.failed(failure(), under: .init(), at: 1, chance: 1)
        let moment = 1 + Self.second / 2
        #expect(action == .wait(until: moment))
        action = life.waited(at: moment - 1)
        #expect(action == .wait(until: moment), "too early")
        life.end()
        action = life.waited(at: moment)
        #expect(action == .giveUp && life.attempts == 1)
    }

    @Test("R10: 25,000 random events break no bound", arguments: 1...5 as ClosedRange<UInt64>)
    func simulation(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let reasons: [ImageError.Reason] = [
            .status(503), .status(429), .status(404), .transport(.dns(host: "h")),
            .transport(.truncated(received: 1, expected: 2)), .imaging(.notAnImage(found: "text")),
        ]
        var steps = 0
        while steps < 5000 {
            let policy = ImageRequest.Retry(
                attempts: .random(in: -1...8, using: &random),
                firstDelay: .milliseconds(.random(in: 0...3000, using: &random)),
                longestDelay: .milliseconds(.random(in: 0...9000, using: &random)),
                longestTime: .milliseconds(.random(in: 0...30_000, using: &random)))
            var life = RetryLife()
            var now = UInt64.random(in: 0...Self.start, using: &random)
            let begun = now
            var action = life.start(at: now)
            var isWaitingFor: UInt64?
            events: while action != .giveUp {
                steps += 1
                now += .random(in: 0...Self.second, using: &random)
                switch Int.random(in: 0..<10, using: &random) {
                case 0:
                    life.end()
                    action = life.waited(at: .max)
                    #expect(action == .giveUp, "cancelled")
                case 1 where isWaitingFor == nil:
                    break events  // it has succeeded
                default:
                    if let moment = isWaitingFor {
                        action = life.waited(at: now)
                        #expect((action == .attempt) == (now >= moment))
                        if action == .attempt { isWaitingFor = nil }
                    } else {
                        let reason = reasons.randomElement(using: &random) ?? .cancelled
                        let after =
                            Bool.random(using: &random)
                            ? nil : Double.random(in: 0...12, using: &random)
                        action = life.failed(
                            failure(reason, retryAfter: after), under: policy, at: now,
                            chance: .random(in: 0...1, using: &random))
                        #expect(action != .attempt)
                        guard case .wait(let moment) = action else { continue }
                        isWaitingFor = moment
                        let delay = Double(moment - now) / 1e9
                        let longest = Double(policy.longestDelay.components.seconds) + 1
                        #expect(delay >= (after ?? 0) - 1e-6 && delay <= longest)
                        #expect(
                            moment - begun <= policy.longestTime.clampedNanoseconds)
                    }
                }
                #expect(life.attempts <= max(1, policy.attempts))
            }
        }
    }
}
