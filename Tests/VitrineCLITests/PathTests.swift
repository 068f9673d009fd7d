import Foundation
import OriginSupport
import PixelSupport
import Testing

@testable import VitrineCLI

/// Files and folders whose names are strange, gone, or not for everybody.
@Suite struct PathTests {
    private let shell: Shell

    init() throws {
        shell = try Shell()
        let picture = try Fixture.data("scene.png")
        try picture.write(to: URL(fileURLWithPath: shell.folder + "/a.png"))
    }

    @Test(
        "P1, P2, P3: a word that is not UTF-8 is refused, and not taken for another one",
        arguments: [
            "get $name -o out", "get a.png -o $folder", "info $name", "show $name",
            "get --from $name",
            "cache remove $name", "$name",
        ])
    func notUTF8(_ words: String) throws {
        let answer = try shell.line(
            #"name=$(printf 'l\001\351.png'); folder=$(printf 'dir\351'); cp a.png "$name"; "#
                + "$vitrine \(words.replacing("$name", with: "\"$name\""))")
        #expect(answer.status == 2 && answer.output.isEmpty)
        let shown =
            words.contains("$folder")
            ? #"4 (dir\xE9)"#
            : words == "$name"
                ? #"1 (l\x01\xE9.png)"#
                : words.contains("--from") || words.contains("remove")
                    ? #"3 (l\x01\xE9.png)"#
                    : #"2 (l\x01\xE9.png)"#
        #expect(
            answer.errors
                == "vitrine: Argument \(shown) is not UTF-8. A picture of such a name can be given "
                + "as a URL, in which %E9 is the byte \\xE9: file:///folder/caf%E9.png.\n")
        #expect(!shell.files("").contains("out"))
        let secret = try shell.line(#"$vitrine get a.png -u "ann:$(printf 'hunter\351')""#)
        #expect(secret.status == 2 && secret.errors.hasPrefix("vitrine: Argument 4 is not UTF-8. "))
        #expect(!shell.files("").contains { $0.hasPrefix("dir") })
    }

    @Test("P1, P3: a file: URL reaches a file whose name is not UTF-8") func fileURL() throws {
        #expect(try shell.line(#"cp a.png "$(printf 'caf\351.png')""#).status == 0)
        let url = "file://\(shell.folder)/caf%E9.png"
        let info = try shell.run("info", url)
        #expect(info.status == 0 && info.output.contains("96"), "\(info.errors)")
        let get = try shell.run("get", url, "-o", "out")
        #expect(get.status == 0 && shell.files("out") == ["caf\u{FFFD}.png"], "\(get.errors)")
        let missing = try shell.run("info", url.replacing("caf", with: "cup"))
        #expect(missing.errors.contains("cup\u{FFFD}.png cannot be read: there is no such file"))
    }

    @Test("P1: relative paths in a working folder whose name is not UTF-8") func strangeFolder()
        throws
    {
        let answer = try shell.line(
            """
            d=$(printf 'dir\\351'); mkdir "$d"; cp a.png "$d/b.png"; cd "$d"
            $vitrine get b.png ../a.png -o out; ls out
            """)
        #expect(answer.output.hasSuffix("a.png\nb.png\n"), "\(answer.errors)")
    }

    @Test("P1, P3: a working folder that is gone is named as the reason") func goneFolder() throws {
        let gone = "mkdir gone; cd gone; rmdir ../gone; "
        let answer = try shell.line(gone + "$vitrine get a.png -o '\(shell.folder)/out'")
        #expect(answer.status == 1)
        let why = "a.png: The file cannot be read: the working folder is not there any more.\n"
        #expect(answer.errors.hasPrefix(why), "\(answer.errors)")
        let json = try shell.line(gone + "$vitrine info a.png --json")
        #expect(json.output.contains("\"kind\":\"file\""))
        let absolute = try shell.line(
            gone + "$vitrine get '\(shell.folder)/a.png' -o '\(shell.folder)/out'")
        #expect(absolute.status == 0 && shell.files("out") == ["a.png"], "\(absolute.errors)")
    }

    @Test("P1: why a folder cannot be made is said, not that it is not there") func unmakeable()
        throws
    {
        // Nobody may make a folder there.
        let system = try shell.run("get", "a.png", "-o", "/sys/pictures/deep")
        #expect(system.status == 1)
        #expect(
            [
                "permission is denied", "the file system is read-only",
            ].contains {
                system.errors == "vitrine: /sys/pictures/deep cannot be written: \($0).\n"
            },
            "\(system.errors)")
        let missing = try shell.run("get", "a.png", "-o", "/proc/pictures")
        #expect(
            missing.errors
                == "vitrine: /proc/pictures cannot be written: there is no such folder.\n")
    }

    @Test("P1: folders in the environment whose names are not UTF-8 are not exchanged for others")
    func environment() throws {
        let origin = try OriginServer.start()
        defer { origin.stop() }
        origin.routeOthers(.bytes([UInt8](try Fixture.data("scene.png"))))
        let answer = try shell.line(
            """
            d=$(printf 'dir\\351'); mkdir "$d"
            XDG_CACHE_HOME="$PWD/$d" TMPDIR="$PWD/$d" $vitrine get \(origin.address("/b.png")) -o out
            ls -d dir*/* .cache/vitrine/vitrine; rmdir "$d"; ls -d dir*
            """)
        #expect(answer.output.hasSuffix(".cache/vitrine/vitrine\n"), "\(answer.output)")
        #expect(shell.files("out") == ["b.png"])
    }
}
