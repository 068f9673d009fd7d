import FoundationEssentials
import Testing
import VitrineImaging

@testable import VitrineCLI

/// What the README says is so.
@Suite struct ReadmeTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let readme = text("README.md")

    private static func text(_ path: String) -> String {
        let data = try? Data(contentsOf: root.appending(path: path))
        return String(decoding: data ?? Data(), as: UTF8.self)
    }

    /// The code blocks in a language, without their fences.
    private static func blocks(_ language: String) -> [String] {
        var blocks: [String] = []
        var open: (language: Substring, lines: [Substring])?
        for line in readme.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if let block = open {
                    if block.language == language {
                        blocks.append(block.lines.joined(separator: "\n"))
                    }
                    open = nil
                } else {
                    open = (line.dropFirst(3), [])
                }
            } else {
                open?.lines.append(line)
            }
        }
        return blocks
    }

    @Test("each Swift sample of the README is the whole of a file that is built and run")
    func samples() {
        let sources = [
            "quick-start/Sources/app/main.swift", "quick-start/Sources/list/main.swift",
            "quick-start/Sources/decode/main.swift",
            "quick-start/Sources/thumbnails/Thumbnails.swift",
            "gtk-app/Sources/gtk-app/Card.swift",
        ].map { Self.text("Examples/\($0)") }
        let samples = Self.blocks("swift").filter { !$0.contains(".package(") }
        #expect(samples.count == sources.count)
        for sample in samples {
            #expect(sources.contains(sample + "\n"), "\(sample)")
        }
    }

    @Test("the command lines of the README are such that vitrine takes them")
    func commands() throws {
        let lines = Self.blocks("sh").joined(separator: "\n").split(separator: "\n")
            .filter { $0.hasPrefix("vitrine ") }
        #expect(lines.count >= 4)
        for line in lines {
            var words = line.split(separator: " ").dropFirst().map(String.init)
            let command = words.removeFirst()
            // A list that is there.
            if let list = words.firstIndex(of: "list.txt") {
                words[list] = Self.root.appending(path: "LICENSE").path
            }
            switch command {
            case "get": _ = try GetOptions(Arguments(words, GetOptions.syntax))
            case "show": _ = try Arguments(words, ShowCommand.syntax)
            case "info": #expect(words == ["photo.heic"])
            case "cache": #expect(["stats", "clear", "path"].contains(words.first))
            default: Issue.record("There is no command \(command).")
            }
        }
    }

    @Test("the README names each format that is read or written")
    func formats() throws {
        let rows = Self.readme.split(separator: "\n")
        let reads = try #require(rows.first { $0.hasPrefix("| reads |") })
        for format in RasterFormat.allCases { #expect(reads.contains(format.description)) }
        let writes = try #require(rows.first { $0.hasPrefix("| writes |") })
        for format in EncodingFormat.allCases { #expect(writes.contains(format.description)) }
    }

    @Test("the files to which the README refers are there, and so are make's targets")
    func references() {
        for part in Self.readme.split(separator: "](").dropFirst() {
            let path = String(part.prefix { $0 != ")" })
            #expect(
                FileManager.default.fileExists(atPath: Self.root.appending(path: path).path),
                "\(path)")
        }
        let makefile = Self.text("Makefile")
        let calls = Self.readme.split(separator: "make ").dropFirst()
        for target in calls.map({ $0.prefix { $0.isLetter && $0.isLowercase } })
        where ["demo", "test", "outside", "bench", "docs"].contains(target) {
            #expect(makefile.contains("\n\(target):"), "\(target)")
        }
        let packages =
            "pkg-config libvips-dev libwebp-dev libavif-dev zlib1g-dev libcurl4-openssl-dev "
            + "libsqlite3-dev"
        #expect(Self.readme.contains("apt-get install \(packages)\n"))
        #expect(makefile.contains("BUILD_PACKAGES := \(packages)\n"))
    }
}
