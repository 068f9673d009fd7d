import DeterminismSupport
import Testing
import VitrineBase
import VitrineStorage

/// What a memory cache should do, written as plainly as can be.
private struct Model {
    struct Entry {
        var key: Int
        var value: Int
        var cost: Int
        var expiry: UInt64
        var isOnProbation: Bool
    }

    struct Drop: Hashable {
        var key: Int
        var value: Int
        var reason: CacheDropReason
    }

    let capacity: Int
    let target: Int
    let countLimit: Int
    let ageLimit: UInt64?
    /// In the order of their last use.
    var entries: [Entry] = []
    var drops: [Drop] = []
    var now: UInt64 = 0

    var usage: Int { entries.reduce(0) { $0 + $1.cost } }
    var keys: [Int] {
        (entries.filter(\.isOnProbation) + entries.filter { !$0.isOnProbation }).map(\.key)
    }

    mutating func drop(_ index: Int, _ reason: CacheDropReason) {
        let entry = entries.remove(at: index)
        drops.append(Drop(key: entry.key, value: entry.value, reason: reason))
    }

    mutating func drop(_ reason: CacheDropReason, where matches: (Entry) -> Bool) -> Int {
        let doomed = entries.filter(matches).map(\.key)
        for key in doomed {
            if let index = entries.firstIndex(where: { $0.key == key }) { drop(index, reason) }
        }
        return doomed.count
    }

    /// The one that is wanted least, but not `spared`.
    func victim(sparing spared: Int?) -> Int? {
        let waiting = entries.filter(\.isOnProbation)
        let isOver =
            waiting.reduce(0) { $0 + $1.cost } > target / 4 || waiting.count > countLimit / 4
        for wanted in [isOver, !isOver] {
            if let index = entries.firstIndex(where: { $0.isOnProbation == wanted }),
                entries[index].key != spared
            {
                return index
            }
        }
        return nil
    }

    mutating func insert(_ value: Int, _ key: Int, _ cost: Int, _ lifetime: UInt64?, _ ahead: Bool)
        -> Bool
    {
        var onProbation = ahead
        if let index = entries.firstIndex(where: { $0.key == key }) {
            onProbation = ahead && entries[index].isOnProbation
            drop(index, .replaced)
        }
        guard cost <= capacity else {
            drops.append(Drop(key: key, value: value, reason: .tooLarge))
            return false
        }
        let expiry = [lifetime, ageLimit].compactMap { $0 }.min().map { now + $0 } ?? .max
        entries.append(
            Entry(key: key, value: value, cost: cost, expiry: expiry, isOnProbation: onProbation))
        if usage > capacity {
            while usage > target, let index = victim(sparing: key) { drop(index, .capacity) }
        }
        while entries.count > countLimit, let index = victim(sparing: key) { drop(index, .count) }
        return true
    }

    mutating func value(_ key: Int, isUse: Bool) -> Int? {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
        guard entries[index].expiry > now else {
            drop(index, .expired)
            return nil
        }
        guard isUse else { return entries[index].value }
        var entry = entries.remove(at: index)
        entry.isOnProbation = false
        entries.append(entry)
        return entry.value
    }

    mutating func trim(to wanted: Int) {
        while usage > wanted, let index = victim(sparing: nil) { drop(index, .memoryPressure) }
    }
}

@Suite struct MemoryCacheModelTests {
    @Test(
        "C1: agrees with a simple model, step by step",
        arguments: [
            (1, Int?.none, Int?.none), (2, nil, nil), (3, 12, nil), (4, nil, 40), (5, 12, 40),
            (6, 1, 10), (7, 14, 100), (8, 12, 40),
        ])
    func agreesWithModel(seed: Int, countLimit: Int?, ageLimit: Int?) {
        var random = SeededRandom(seed: UInt64(seed))
        let clock = ManualClock()
        let drops = Lock<[Model.Drop]>([])
        let cache = MemoryCache<Int, Int>(
            capacity: 500, purgeTarget: 300, countLimit: countLimit,
            ageLimit: ageLimit.map { .milliseconds($0) }, time: clock.source
        ) { key, value, reason in
            drops.withLock { $0.append(Model.Drop(key: key, value: value, reason: reason)) }
        }
        var model = Model(
            capacity: 500, target: 300, countLimit: countLimit ?? .max,
            ageLimit: ageLimit.map { UInt64($0) })
        var reasons: Set<CacheDropReason> = []
        for step in 0..<4000 {
            let key = Int.random(in: 0..<40, using: &random)
            switch Int.random(in: 0..<24, using: &random) {
            case 0..<9:
                let cost = Int.random(in: 0...(step.isMultiple(of: 50) ? 600 : 60), using: &random)
                let lifetime =
                    Bool.random(using: &random) ? nil : Int.random(in: 0...80, using: &random)
                let ahead = Int.random(in: 0..<3, using: &random) == 0
                let isKept = cache.insert(
                    step, for: key, cost: cost, lifetime: lifetime.map { .milliseconds($0) },
                    standing: ahead ? .probation : .regular)
                #expect(
                    isKept == model.insert(step, key, cost, lifetime.map { UInt64($0) }, ahead))
            case 9..<15:
                #expect(cache.value(for: key) == model.value(key, isUse: true))
            case 15: #expect(cache.peek(key) == model.value(key, isUse: false))
            case 16..<18:
                let index = model.entries.firstIndex { $0.key == key }
                #expect(cache.remove(key) == index.map { model.entries[$0].value })
                if let index { model.drop(index, .removed) }
            case 18:
                let expected = model.drop(.removed) { $0.key % 7 == key % 7 }
                #expect(cache.removeAll { $0 % 7 == key % 7 } == expected)
            case 19:
                let now = model.now
                let expected = model.drop(.expired) { $0.expiry <= now }
                #expect(cache.removeExpired() == expected)
            case 20..<22:
                clock.advance(by: .milliseconds(7))
                model.now += 7
            case 22:
                guard step.isMultiple(of: 5) else { continue }
                let level = MemoryPressure.Level.allCases.randomElement(using: &random)
                cache.respond(to: level ?? .warning)
                model.trim(to: level == .critical ? 0 : min(300, model.usage / 2))
                if level == .critical { _ = model.drop(.memoryPressure) { _ in true } }
            default:
                guard step.isMultiple(of: 10) else { continue }
                cache.removeAll()
                _ = model.drop(.removed) { _ in true }
            }
            #expect(cache.checkedKeys == model.keys)
            #expect(cache.memoryUsage == model.usage)
            #expect(cache.memoryUsage <= 500 && cache.count <= countLimit ?? .max)
            let told = drops.withLock { drops in
                defer { drops = [] }
                return drops
            }
            // What goes at once goes in no order.
            #expect(Set(told) == Set(model.drops) && told.count == model.drops.count)
            reasons.formUnion(told.map(\.reason))
            model.drops = []
        }
        #expect(
            reasons.isSuperset(of: [.replaced, .removed, .tooLarge, .expired, .memoryPressure]))
        #expect(reasons.contains(.count) == (countLimit != nil))
        #expect(reasons.contains(.capacity) || countLimit == 1)
    }
}
