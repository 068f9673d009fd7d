import Foundation
import PictureLists
import PixelSupport
import Testing

@testable import VitrineGallery

@Suite final class SourceReaderTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(
            path: "vitrine-gallery-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func write(_ data: Data, _ path: String) throws {
        let file = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }

    /// The paths and URLs that the words come to, without the folder's own path.
    private func read(_ words: String...) throws -> [String] {
        var reader = SourceReader()
        for word in words { try reader.add(word) }
        return reader.items.map { item in
            item.url.isFileURL
                ? item.url.path(percentEncoded: false).replacing(folder.path + "/", with: "")
                : item.url.absoluteString
        }
    }

    @Test("P5: URLs, files, folders and lists, mixed, in their order") func mixed() throws {
        let png = try Fixture.data("scene.png")
        for path in ["f/b10.png", "f/b9.PNG", "f/deep/c.jpg", "f/.hidden.png", "f/notes.txt"] {
            try write(png, path)
        }
        try write(png, "picture without an end")
        let list = "\u{FEFF}# a comment\n\n  http://x/1.png \r\n\(folder.path)/f/deep\nhttp://x/2\n"
        try write(Data(list.utf8), "list.txt")
        let path = folder.path
        #expect(
            try read(
                "https://y/0.gif", path + "/f", path + "/list.txt",
                path + "/picture without an end", "file://\(path)/f/b9.PNG", "data:,x")
                == [
                    "https://y/0.gif", "f/b9.PNG", "f/b10.png", "f/deep/c.jpg",
                    "http://x/1.png", "f/deep/c.jpg", "http://x/2",
                    "picture without an end", "f/b9.PNG", "data:,x",
                ])
    }

    @Test("P5: what is not there, or no picture, stays to be told of in the window")
    func missing() throws {
        try write(Data("<html></html>".utf8), "page")
        try write(Data("http://x/y.png".utf8), "list.png")
        try write(Data([0, 1, 2]), "noise")
        try write(Data(), "nothing")
        let names = ["nosuch.png", "page", "list.png", "noise", "nothing"]
        for name in names { #expect(try read("\(folder.path)/\(name)") == [name]) }
    }

    @Test("P5: a list may come by a pipe, from the command line only") func pipes() throws {
        let pipe = folder.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        // A window would wait for whoever writes.
        #expect(try read(pipe) == ["pipe"])
        let writer = Thread {
            try? Data("http://x/1.png\n\(pipe)\n".utf8).write(
                to: URL(filePath: pipe), options: [])
        }
        writer.start()
        var reader = SourceReader()
        reader.readsPipes = true
        try reader.add(pipe)
        // A list names no lists.
        #expect(reader.items.map(\.name) == ["1.png", "pipe"])
    }

    @Test("P5: a list names no lists, so that none names itself") func nested() throws {
        try write(Data("\(folder.path)/list.txt\n".utf8), "list.txt")
        #expect(try read("\(folder.path)/list.txt") == ["list.txt"])
        try FileManager.default.createDirectory(
            at: folder.appending(path: "loop"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: "loop/loop"), withDestinationURL: folder)
        #expect(try read("\(folder.path)/loop").isEmpty)
    }

    @Test("P5, promise 29: what names nothing is explained, without secrets") func mistakes() {
        #expect(throws: UsageError("An empty text names no picture.")) { try read("") }
        #expect(throws: UsageError("\"http://…\" is not a valid URL.")) {
            try read("http://user:word@host:port/?token=hunter2")
        }
    }

    @Test("P5: bytes that are no text are no list, and it is said why") func noLists() throws {
        for (bytes, why) in [
            (Array(try Fixture.data("scene.png")), "it is a picture itself, PNG"),
            (Array("http://x/1\n\n".utf8) + [0xFF], "line 3 is not UTF-8"),
            (Array("http://x/1\nhttp://x/\u{0}2".utf8), "line 2 has the byte 0x00 in it"),
            (Array("\u{1F}".utf8), "line 1 has the byte 0x1F in it"),
        ] {
            #expect(throws: UsageError("It is no list of pictures: \(why).")) {
                try SourceReader.words(in: bytes, "It")
            }
        }
        for text in ["", " \n", "http://x/ä\r\n\tb.png", "\u{FEFF}# a\n", "<svg/>"] {
            #expect(throws: Never.self, "\(text)") {
                try SourceReader.words(in: Array(text.utf8), "It")
            }
        }
        // What is seen of it at first may be text.
        let long = String(repeating: "http://x/1.png\n", count: 400)
        try write(Data(long.utf8) + [0], "list")
        #expect(
            throws: UsageError(
                "The list \(folder.path)/list is no list of pictures: "
                    + "line 401 has the byte 0x00 in it.")
        ) { try read("\(folder.path)/list") }
    }

    @Test("P5: text is told from everything else by its beginning") func text() {
        #expect(SourceReader.isText(Array("http://x/ä".utf8)))
        // Cut off within a character, and a byte that begins none.
        #expect(SourceReader.isText(Array("http://x/ä".utf8.dropLast())))
        #expect(!SourceReader.isText([0x61, 0xFF, 0x61, 0x61, 0x61, 0x61]))
        #expect(!SourceReader.isText([0x61, 0]))
        #expect(!SourceReader.isText(Array("  \n".utf8)))
        #expect(!SourceReader.isText(Array("\n <svg>".utf8)))
        #expect(!SourceReader.isText([]))
    }

    @Test("P5: pictures in a folder stand in the order in which people count") func order() {
        let sorted = ["a1", "a2", "A10", "a10b", "b", "b01", "b1", "b2", "ä"]
        #expect(sorted.shuffled().sorted(by: SourceReader.comesFirst) == sorted)
        #expect(!SourceReader.comesFirst("a", "a"))
    }

    @Test("P5: a scheme has two letters at least, since a path may have a colon") func schemes() {
        for text in ["http://x", "data:,", "x+y-z.1:a"] { #expect(hasScheme(text)) }
        for text in ["a:b", "a b:c", "1a:b", "/a:b", "", ":", "ä:b"] {
            #expect(!hasScheme(text), "\(text)")
        }
    }
}
