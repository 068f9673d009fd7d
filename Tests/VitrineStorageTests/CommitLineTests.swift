import Testing
import VitrineStorage

@Suite struct CommitLineTests {
    @Test("C12: an entry that is alone is committed at once, those that come together as one")
    func together() {
        var line = CommitLine<String>(limit: 10, byteLimit: 100)
        let alone = line.announce("a")
        let first = line.join("A", of: 1, at: alone)
        #expect(first == ["A"])
        let places = ["a", "b", "c"].map { line.announce($0) }
        // The first transaction is under way, so nobody commits what has joined meanwhile.
        let meanwhile = [
            line.join("A2", of: 1, at: places[0]), line.join("B", of: 1, at: places[1]),
            line.join("C", of: 1, at: places[2]),
        ]
        #expect(meanwhile == [nil, nil, nil])
        let second = line.committed()
        #expect(second == ["A2", "B", "C"])
        let third = line.committed()
        #expect(third == nil)
    }

    @Test("C12: whoever comes last commits, also if it withdraws") func last() {
        var line = CommitLine<String>(limit: 10, byteLimit: 100)
        let places = ["a", "b", "c"].map { line.announce($0) }
        let answers = [
            line.join("C", of: 1, at: places[2]), line.join("A", of: 1, at: places[0]),
            line.withdraw(places[1]),
        ]
        #expect(answers == [nil, nil, ["A", "C"]], "in the order in which they were announced")
    }

    @Test("C12: a full transaction waits for nobody") func full() {
        var line = CommitLine<Int>(limit: 3, byteLimit: 100)
        let places = (0..<5).map { line.announce("\($0)") }
        let answers = (0..<4).map { line.join($0, of: 1, at: places[$0]) }
        #expect(answers == [nil, nil, [0, 1, 2], nil])
        let early = line.committed()
        #expect(early == nil, "one more is coming")
        let rest = line.join(4, of: 1, at: places[4])
        #expect(rest == [3, 4])
    }

    @Test("C12: promise 18: a transaction is full by bytes, too; what has more goes alone")
    func bytes() {
        var line = CommitLine<String>(limit: 10, byteLimit: 100)
        let places = ["a", "b", "c", "d", "e"].map { line.announce($0) }
        let answers = [
            line.join("60", of: 60, at: places[0]), line.join("50", of: 50, at: places[1]),
            line.join("huge", of: .max, at: places[2]), line.join("none", of: -5, at: places[3]),
        ]
        #expect(answers == [nil, ["60"], nil, nil])
        let second = line.committed()
        #expect(second == ["50", "none"], "what fits is not kept by what does not")
        let third = line.committed()
        #expect(third == ["huge"])
        let fourth = line.committed()
        #expect(fourth == nil)
        let last = line.join("1", of: 1, at: places[4])
        #expect(last == ["1"])
    }

    @Test("C12: entries of one key that do not fit together keep their order") func sameKeyFull() {
        var line = CommitLine<String>(limit: 10, byteLimit: 100)
        let places = ["a", "k", "k"].map { line.announce($0) }
        let answers = [
            line.join("a", of: 60, at: places[0]), line.join("old", of: 30, at: places[1]),
            line.join("new", of: 5, at: places[2]),
        ]
        #expect(answers == [nil, nil, ["a", "old", "new"]])
        let more = ["b", "c", "k", "k"].map { line.announce($0) }
        let then = [
            line.join("b", of: 60, at: more[0]), line.join("old", of: 60, at: more[2]),
            line.join("new", of: 5, at: more[3]), line.join("c", of: 5, at: more[1]),
        ]
        #expect(then == [nil, nil, nil, nil])
        let second = line.committed()
        #expect(second == ["b", "c"], "not the new one before the old")
        let third = line.committed()
        #expect(third == ["old", "new"])
    }

    @Test("C12: entries of one key keep their order, whoever is ready first") func sameKey() {
        var line = CommitLine<String>(limit: 2, byteLimit: 100)
        let old = line.announce("k")
        let new = line.announce("k")
        let others = ["a", "b"].map { line.announce($0) }
        let answers = [
            line.join("new", of: 1, at: new), line.join("a", of: 1, at: others[0]),
            line.join("b", of: 1, at: others[1]),
        ]
        #expect(answers == [nil, ["a"], nil], "not the new one before the old")
        let second = line.committed()
        #expect(second == ["b"])
        let third = line.committed()
        #expect(third == nil)
        let fourth = line.join("old", of: 1, at: old)
        #expect(fourth == ["old", "new"])
    }

    @Test("C12: who is in a hurry waits for nobody who is still coming") func hurry() {
        var line = CommitLine<String>(limit: 10, byteLimit: 100)
        let nothing = line.hurry()
        #expect(nothing == nil)
        let places = ["a", "b", "b"].map { line.announce($0) }
        let joined = [line.join("A", of: 1, at: places[0]), line.join("B2", of: 1, at: places[2])]
        #expect(joined == [nil, nil])
        let first = line.hurry()
        #expect(first == ["A"], "but for what stands behind it")
        let second = line.hurry()
        #expect(second == nil, "others are at it")
        let last = line.join("B1", of: 1, at: places[1])
        #expect(last == nil)
        let rest = line.committed()
        #expect(rest == ["B1", "B2"])
    }

    @Test("C12: a line without limit to speak of takes one at a time") func narrow() {
        var line = CommitLine<Int>(limit: -1, byteLimit: 100)
        let places = (0..<2).map { line.announce("\($0)") }
        let first = line.join(0, of: 1, at: places[0])
        #expect(first == [0])
        let second = line.join(1, of: 1, at: places[1])
        #expect(second == nil)
        let third = line.committed()
        #expect(third == [1])
    }
}
