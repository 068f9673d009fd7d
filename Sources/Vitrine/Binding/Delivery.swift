public import Dispatch

/// Where results are handed over: on the main thread, on a queue, or wherever a toolkit's loop runs.
///
/// ```swift
/// loader.load(request, deliveringOn: .queue(index)) { result in … }
/// ```
public struct Delivery: Sendable {
    private let isCurrent: @Sendable () -> Bool
    private let enqueue: @Sendable (@escaping @Sendable () -> Void) -> Void
    /// Whether it runs what it is given within the call.
    private(set) var isInline = false

    /// A place of one's own, such as the loop of a toolkit or an actor's executor.
    ///
    /// - Parameters:
    ///   - isCurrent: Whether the caller is there already, so that what is known at once can be handed
    ///     over in the same call. Must be false where that is not certain.
    ///   - enqueue: Runs what it is given there, once and soon, and never within the call itself. It
    ///     is called from any thread.
    public init(
        isCurrent: @escaping @Sendable () -> Bool = { false },
        enqueue: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.isCurrent = isCurrent
        self.enqueue = enqueue
    }

    /// The main dispatch queue, which is also the main actor's.
    ///
    /// A program whose main thread runs another loop must let that serve the main queue, or use a
    /// delivery of its own.
    public static let main: Delivery = {
        DispatchQueue.main.setSpecific(key: mainMark, value: true)
        return Delivery(
            isCurrent: { DispatchQueue.getSpecific(key: mainMark) == true },
            enqueue: { work in DispatchQueue.main.async(execute: work) })
    }()

    /// A queue, serial or concurrent; what belongs to one load comes in order on both.
    public static func queue(_ queue: DispatchQueue) -> Delivery {
        Delivery { work in queue.async(execute: work) }
    }

    /// On whatever thread has the result. What is called there must be quick and must not block.
    public static let immediate: Delivery = {
        var delivery = Delivery(isCurrent: { true }, enqueue: { work in work() })
        delivery.isInline = true
        return delivery
    }()

    /// Not a Boolean of the main thread: a program that only serves its main queue has none.
    private static let mainMark = DispatchSpecificKey<Bool>()

    /// Whether the caller is there already.
    package var isHere: Bool { isCurrent() }

    /// Runs the work there, after this call.
    package func hand(_ work: @escaping @Sendable () -> Void) { enqueue(work) }

    /// Runs the work on the main actor, at once if the caller, whom another delivery has called, is
    /// there already.
    package static func onMainActor(_ work: @escaping @MainActor () -> Void) {
        if main.isHere {
            MainActor.assumeIsolated { work() }
        } else {
            main.hand { MainActor.assumeIsolated { work() } }
        }
    }
}
