import VitrineBase

/// Lets those who change what is stored under one key do it one after another.
final class KeyTurns: Sendable {
    private let waiting = Lock([ResponseKey: [OneShot<Void>]]())

    /// Does `body` when all that came before for the key are done.
    func withTurn<Result>(
        for key: ResponseKey, _ body: () async -> Result
    ) async -> Result {
        let turn = waiting.withLock { waiting -> OneShot<Void>? in
            guard waiting[key] != nil else {
                waiting[key] = []
                return nil
            }
            let turn = OneShot<Void>()
            waiting[key]?.append(turn)
            return turn
        }
        await turn?.value()
        let result = await body()
        let next = waiting.withLock { waiting -> OneShot<Void>? in
            guard waiting[key]?.isEmpty == false else {
                waiting[key] = nil
                return nil
            }
            return waiting[key]?.removeFirst()
        }
        next?.fulfil(())
        return result
    }
}
