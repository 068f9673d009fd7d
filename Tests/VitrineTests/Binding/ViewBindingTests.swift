import Testing

@testable import Vitrine

private typealias Binding = ViewBinding<String, String>

/// A wish for a source in a size: "a" or "a@2".
private func wish(_ text: String, anew: Bool = false) -> Binding.Wish {
    Binding.Wish(
        source: String(text.prefix { $0 != "@" }), identity: text, asksAnew: anew)
}

private func manner(
    _ previous: Binding.Previous = .cleared, hidden: Bool = false, always: Bool = false,
    failure: Bool = false, follows: Bool = false
) -> Binding.Manner {
    var manner = Binding.Manner()
    manner.previous = previous
    manner.loadsWhenHidden = hidden
    manner.alwaysTransitions = always
    manner.showsFailure = failure
    manner.followsChanges = follows
    return manner
}

@Suite struct ViewBindingTests {
    @Test("promise 10: what is in memory shows in the same call, without placeholder or transition")
    func memoryHit() {
        var binding = Binding(isVisible: true)
        let actions = binding.set(wish("a"), isInMemory: true, completion: 1)
        #expect(actions == [.showPicture(transition: false), .complete(1, .success)])
        var hidden = Binding()
        let whenHidden = hidden.set(
            wish("a"), manner: manner(always: true), isInMemory: true, completion: 1)
        #expect(whenHidden == [.showPicture(transition: true), .complete(1, .success)])
    }

    @Test(
        "promise 26, V2: within the grace period neither placeholder nor transition, after it both")
    func gracePeriod() {
        var binding = Binding(isVisible: true)
        let start = binding.set(wish("a"), isInMemory: false, completion: 1)
        #expect(start == [.start(1), .awaitGracePeriod(1)])
        let quick = binding.finished(1, .success)
        #expect(quick == [.showPicture(transition: false), .complete(1, .success)])
        let late = binding.gracePeriodPassed(1)
        #expect(late == [])

        let other = binding.set(wish("b"), isInMemory: false)
        #expect(other == [.showNothing, .start(2), .awaitGracePeriod(2)])
        let placeholder = binding.gracePeriodPassed(2)
        #expect(placeholder == [.showPlaceholder])
        let twice = binding.gracePeriodPassed(2)
        #expect(twice == [])
        let slow = binding.finished(2, .success)
        #expect(slow == [.showPicture(transition: true)])
    }

    @Test("promise 26: the previous picture goes, stays for the grace period, or stays")
    func previous() {
        for (previous, atOnce, later) in [
            (
                Binding.Previous.cleared, [Binding.Action.showNothing],
                [Binding.Action.showPlaceholder]
            ),
            (.keptForGracePeriod, [], [.showPlaceholder]),
            (.kept, [], []),
        ] {
            var binding = Binding(isVisible: true)
            _ = binding.set(wish("a"), isInMemory: true)
            let start = binding.set(wish("b"), manner: manner(previous), isInMemory: false)
            #expect(start == atOnce + [.start(1), .awaitGracePeriod(1)])
            let passed = binding.gracePeriodPassed(1)
            #expect(passed == later)
        }
    }

    @Test("promise 26: the same source loaded again, or in another size, keeps its picture")
    func sameSource() {
        var binding = Binding(isVisible: true)
        _ = binding.set(wish("a"), isInMemory: true)
        let anew = binding.set(wish("a", anew: true), isInMemory: false, completion: 1)
        #expect(anew == [.start(1), .awaitGracePeriod(1)])
        let passed = binding.gracePeriodPassed(1)
        #expect(passed == [])
        let failed = binding.finished(1, .failure)
        #expect(failed == [.complete(1, .failure)], "the picture stays")
        let larger = binding.adapt(to: wish("a@2"), isInMemory: false)
        #expect(larger == [.start(2), .awaitGracePeriod(2)])
        let done = binding.finished(2, .success)
        #expect(done == [.showPicture(transition: false)])
    }

    @Test(
        "promise 28: a load whose request is the same is not restarted; all completions are called")
    func sameRequest() {
        var binding = Binding(isVisible: true)
        _ = binding.set(wish("a"), isInMemory: false, completion: 1)
        let again = binding.set(wish("a"), isInMemory: false, completion: 2)
        #expect(again == [])
        let done = binding.finished(1, .success)
        #expect(
            done == [
                .showPicture(transition: false), .complete(1, .success), .complete(2, .success),
            ])
        let shown = binding.set(wish("a"), isInMemory: false, completion: 3)
        #expect(shown == [.complete(3, .unchanged)])
        let size = binding.adapt(to: wish("a"), isInMemory: false)
        #expect(size == [])
    }

    @Test("V4: the same request that meanwhile came into memory shows at once") func nowInMemory() {
        var binding = Binding(isVisible: true)
        _ = binding.set(wish("a"), isInMemory: false, completion: 1)
        let again = binding.set(wish("a"), isInMemory: true, completion: 2)
        #expect(
            again == [
                .cancel(1), .showPicture(transition: false), .complete(1, .success),
                .complete(2, .success),
            ])
    }

    @Test("promise 25, V4: another request cancels the load, and what that still brings is inert")
    func staleResults() {
        var binding = Binding(isVisible: true)
        _ = binding.set(wish("a"), isInMemory: false, completion: 1)
        let other = binding.set(wish("b"), isInMemory: false, completion: 2)
        #expect(
            other == [.cancel(1), .complete(1, .cancelled), .start(2), .awaitGracePeriod(2)])
        let stale = [
            binding.previewed(1), binding.gracePeriodPassed(1), binding.finished(1, .success),
            binding.finished(1, .failure), binding.finished(1, .cacheMiss),
        ]
        #expect(stale.allSatisfy { $0.isEmpty })
        #expect(binding.running == 2)
    }

    @Test("promise 7: set, cancel, set again ends in the picture") func setCancelSet() {
        var binding = Binding(isVisible: true)
        _ = binding.set(wish("a"), isInMemory: false, completion: 1)
        let cancelled = binding.cancel()
        #expect(cancelled == [.cancel(1), .complete(1, .cancelled), .showPlaceholder])
        let twice = binding.cancel()
        #expect(twice == [])
        let again = binding.set(wish("a"), isInMemory: false, completion: 2)
        #expect(again == [.start(2), .awaitGracePeriod(2)])
        let done = binding.finished(2, .success)
        #expect(done == [.showPicture(transition: false), .complete(2, .success)])
    }

    @Test("promise 27, V9: a load begins when the view is shown, and ends when it is hidden")
    func visibility() {
        var binding = Binding()
        let hidden = binding.set(wish("a"), isInMemory: false, completion: 1)
        #expect(hidden == [.showPlaceholder])
        let shown = binding.appeared()
        #expect(shown == [.start(1), .awaitGracePeriod(1)])
        let gone = binding.disappeared()
        #expect(gone == [.cancel(1)], "the wish stands, and who waits goes on waiting")
        let back = binding.appeared()
        #expect(back == [.start(2), .awaitGracePeriod(2)])
        let done = binding.finished(2, .success)
        #expect(done == [.showPicture(transition: false), .complete(1, .success)])
        let nothing = binding.disappeared() + binding.appeared()
        #expect(nothing == [], "what is shown is not loaded again")
    }

    @Test(
        "promises 25 and 27: what was hidden in the middle of its load ends once, however it ends")
    func hiddenMidLoad() {
        typealias Step = (String, (inout Binding) -> [Binding.Action], [Binding.Action])
        let steps: [Step] = [
            (
                "another wish", { $0.set(wish("b"), isInMemory: false) },
                [.complete(1, .cancelled), .complete(2, .cancelled)]
            ),
            (
                "cancelled", { $0.cancel() },
                [.complete(1, .cancelled), .complete(2, .cancelled), .showPlaceholder]
            ),
            (
                "cleared", { $0.clear() },
                [.complete(1, .cancelled), .complete(2, .cancelled), .showPlaceholder]
            ),
            (
                "destroyed", { $0.vanished() },
                [.complete(1, .cancelled), .complete(2, .cancelled)]
            ),
            (
                "meanwhile in memory", { $0.set(wish("a"), isInMemory: true) },
                [
                    .showPicture(transition: false), .complete(1, .success),
                    .complete(2, .success),
                ]
            ),
            (
                "failed once it was back", { $0.appeared() + $0.finished(2, .failure) },
                [
                    .start(2), .awaitGracePeriod(2), .showPlaceholder, .complete(1, .failure),
                    .complete(2, .failure),
                ]
            ),
        ]
        for (name, step, expected) in steps {
            var binding = Binding(isVisible: true)
            _ = binding.set(wish("a"), isInMemory: false, completion: 1)
            _ = binding.set(wish("a"), isInMemory: false, completion: 2)
            let hidden = binding.disappeared()
            #expect(hidden == [.cancel(1)])
            let stale = binding.finished(1, .success) + binding.previewed(1)
            #expect(stale == [])
            #expect(binding.isWaiting && binding.running == nil)
            var actions = step(&binding)
            if name == "another wish" {
                // It is hidden, so its own placeholder is due.
                #expect(actions.popLast() == .showPlaceholder)
            }
            #expect(actions == expected, "\(name)")
        }
    }

    @Test("V9: or at once, if asked") func hiddenLoads() {
        var binding = Binding()
        let start = binding.set(wish("a"), manner: manner(hidden: true), isInMemory: false)
        #expect(start == [.start(1), .awaitGracePeriod(1)])
        let hidden = binding.disappeared()
        #expect(hidden == [])
    }

    @Test("promise 27: a view that is gone ends everything, once") func vanished() {
        var binding = Binding(isVisible: true)
        _ = binding.set(wish("a"), isInMemory: false, completion: 1)
        let gone = binding.vanished()
        #expect(gone == [.cancel(1), .complete(1, .cancelled)])
        let after =
            binding.vanished() + binding.finished(1, .success) + binding.appeared()
            + binding.retry() + binding.cancel()
        #expect(after == [])
        let late = binding.set(wish("b"), isInMemory: true, completion: 2)
        #expect(late == [.complete(2, .cancelled)])
    }

    @Test("V2: after a failure the failure's picture, else the placeholder; retry loads again")
    func failure() {
        var binding = Binding(isVisible: true)
        _ = binding.set(wish("a"), manner: manner(failure: true), isInMemory: false)
        let failed = binding.finished(1, .failure)
        #expect(failed == [.showFailure])
        let retry = binding.retry()
        #expect(retry == [.start(2), .awaitGracePeriod(2)])
        let passed = binding.gracePeriodPassed(2)
        #expect(passed == [.showPlaceholder])
        let again = binding.finished(2, .failure)
        #expect(again == [.showFailure])
        let other = binding.set(wish("b"), isInMemory: false)
        #expect(other == [.showNothing, .start(3), .awaitGracePeriod(3)])
        let plain = binding.finished(3, .failure)
        #expect(plain == [.showPlaceholder])
    }

    @Test("promise 13: a cache miss under cacheOnly is empty, not a failure") func cacheMiss() {
        var binding = Binding(isVisible: true)
        _ = binding.set(
            wish("a"), manner: manner(failure: true), isInMemory: false, completion: 1)
        let miss = binding.finished(1, .cacheMiss)
        #expect(miss == [.showPlaceholder, .complete(1, .empty)])
    }

    @Test("V1: nothing to show cancels and shows the placeholder") func cleared() {
        var binding = Binding(isVisible: true)
        _ = binding.set(wish("a"), isInMemory: true)
        _ = binding.set(wish("b"), isInMemory: false, completion: 1)
        let cleared = binding.clear(completion: 2)
        #expect(
            cleared == [
                .cancel(1), .complete(1, .cancelled), .showPlaceholder, .complete(2, .empty),
            ])
        let retry = binding.retry()
        #expect(retry == [])
    }

    @Test("D5: previews take the placeholder's place, never that of a whole picture")
    func previews() {
        var binding = Binding(isVisible: true)
        _ = binding.set(wish("a"), isInMemory: false)
        _ = binding.gracePeriodPassed(1)
        let first = binding.previewed(1)
        #expect(first == [.showPreview(transition: true)])
        let second = binding.previewed(1)
        #expect(second == [.showPreview(transition: false)])
        let done = binding.finished(1, .success)
        #expect(done == [.showPicture(transition: false)])
        _ = binding.adapt(to: wish("a@2"), isInMemory: false)
        let overPicture = binding.previewed(2)
        #expect(overPicture == [])

        _ = binding.set(wish("c"), isInMemory: false)
        _ = binding.previewed(3)
        let cut = binding.cancel()
        #expect(cut == [.cancel(3), .showNothing, .showPlaceholder], "a part does not stay")

        _ = binding.set(wish("d"), isInMemory: false)
        _ = binding.previewed(4)
        let late = binding.gracePeriodPassed(4)
        #expect(late == [], "a part that is there already is better than a placeholder")
    }

    @Test("V11: another size does not end the wait of those who asked for the first")
    func adapting() {
        var binding = Binding(isVisible: true)
        _ = binding.set(wish("a"), isInMemory: false, completion: 1)
        let larger = binding.adapt(to: wish("a@2"), isInMemory: false)
        #expect(larger == [.cancel(1), .start(2), .awaitGracePeriod(2)])
        let done = binding.finished(2, .success)
        #expect(done == [.showPicture(transition: false), .complete(1, .success)])
        let memory = binding.adapt(to: wish("a@3"), isInMemory: true)
        #expect(memory == [.showPicture(transition: false)])
        let other = binding.adapt(to: wish("b"), isInMemory: true)
        #expect(other == [], "another source is set, not adapted to")
    }

    @Test("promise 13: a view follows a change at the server only if asked") func changes() {
        var binding = Binding(isVisible: true)
        _ = binding.set(wish("a"), isInMemory: true)
        let still = binding.changed("a")
        #expect(still == [])
        _ = binding.set(wish("b"), manner: manner(follows: true), isInMemory: true)
        let other = binding.changed("a")
        #expect(other == [])
        let followed = binding.changed("b")
        #expect(followed == [.start(1), .awaitGracePeriod(1)])
    }
}
