import Testing
import VitrineStorage

@Suite struct CommitLineTests {
    @Test("C12: an entry that is alone is committed at once, those that come together as one")
    func together() {
        var line = CommitLine<String>(limit: 10)
        let alone = line.announce("a")
        let first = line.join("A", at: alone)
        #expect(first == ["A"])
        let places = ["a", "b", "c"].map { line.announce($0) }
        // The first transaction is under way, so nobody commits what has joined meanwhile.
        let meanwhile = [
            line.join("A2", at: places[0]), line.join("B", at: places[1]),
            line.join("C", at: places[2]),
        ]
        #expect(meanwhile == [nil, nil, nil])
        let second = line.committed()
        #expect(second == ["A2", "B", "C"])
        let third = line.committed()
        #expect(third == nil)
    }

    @Test("C12: whoever comes last commits, also if it withdraws") func last() {
        var line = CommitLine<String>(limit: 10)
        let places = ["a", "b", "c"].map { line.announce($0) }
        let answers = [
            line.join("C", at: places[2]), line.join("A", at: places[0]), line.withdraw(places[1]),
        ]
        #expect(answers == [nil, nil, ["A", "C"]], "in the order in which they were announced")
    }

    @Test("C12: a full transaction waits for nobody") func full() {
        var line = CommitLine<Int>(limit: 3)
        let places = (0..<5).map { line.announce("\($0)") }
        let answers = (0..<4).map { line.join($0, at: places[$0]) }
        #expect(answers == [nil, nil, [0, 1, 2], nil])
        let early = line.committed()
        #expect(early == nil, "one more is coming")
        let rest = line.join(4, at: places[4])
        #expect(rest == [3, 4])
    }

    @Test("C12: entries of one key keep their order, whoever is ready first") func sameKey() {
        var line = CommitLine<String>(limit: 2)
        let old = line.announce("k")
        let new = line.announce("k")
        let others = ["a", "b"].map { line.announce($0) }
        let answers = [
            line.join("new", at: new), line.join("a", at: others[0]), line.join("b", at: others[1]),
        ]
        #expect(answers == [nil, ["a"], nil], "not the new one before the old")
        let second = line.committed()
        #expect(second == ["b"])
        let third = line.committed()
        #expect(third == nil)
        let fourth = line.join("old", at: old)
        #expect(fourth == ["old", "new"])
    }

    @Test("C12: who is in a hurry waits for nobody who is still coming") func hurry() {
        var line = CommitLine<String>(limit: 10)
        let nothing = line.hurry()
        #expect(nothing == nil)
        let places = ["a", "b", "b"].map { line.announce($0) }
        let joined = [line.join("A", at: places[0]), line.join("B2", at: places[2])]
        #expect(joined == [nil, nil])
        let first = line.hurry()
        #expect(first == ["A"], "but for what stands behind it")
        let second = line.hurry()
        #expect(second == nil, "others are at it")
        let last = line.join("B1", at: places[1])
        #expect(last == nil)
        let rest = line.committed()
        #expect(rest == ["B1", "B2"])
    }

    @Test("C12: a line without limit to speak of takes one at a time") func narrow() {
        var line = CommitLine<Int>(limit: -1)
        let places = (0..<2).map { line.announce("\($0)") }
        let first = line.join(0, at: places[0])
        #expect(first == [0])
        let second = line.join(1, at: places[1])
        #expect(second == nil)
        let third = line.committed()
        #expect(third == [1])
    }
}
