import Foundation
import Glibc
import OriginSupport
import PixelSupport
import Testing
import VitrineImaging

@testable import VitrineCLI

/// `vitrine show`.
@Suite struct ShowTests {
    private static let red = Pixel(red: 255, green: 0, blue: 0)
    private static let blue = Pixel(red: 0, green: 0, blue: 255)
    private static let clear = Pixel(red: 9, green: 9, blue: 9, alpha: 0)
    private static let black = Pixel(red: 0, green: 0, blue: 0)

    private static func picture(_ rows: [[Pixel]]) -> PixelBuffer {
        PixelBuffer.drawn(PixelSize(width: rows[0].count, height: rows.count)) { x, y in
            rows[y][x]
        }
    }

    @Test("P2: two pixels a character; colours are named when they change")
    func halfBlocks() {
        let (red, blue) = (Self.red, Self.blue)
        let text = HalfBlocks.lines(
            of: Self.picture([[red, red, blue], [blue, blue, blue], [blue, blue, blue]]),
            over: Self.black
        ).joined()
        #expect(
            text == "\u{1B}[38;2;255;0;0;48;2;0;0;255m▀▀\u{1B}[38;2;0;0;255m▀\u{1B}[0m\n"
                + "\u{1B}[38;2;0;0;255m▀▀▀\u{1B}[0m\n")
    }

    @Test("P2: what is transparent is left as the terminal has it, half of it is mixed")
    func transparency() {
        let (red, clear) = (Self.red, Self.clear)
        let half = Pixel(red: 255, green: 0, blue: 0, alpha: 128)
        let text = HalfBlocks.lines(
            of: Self.picture([
                [clear, red, clear, red, half], [clear, clear, red, red, clear],
                [clear, clear, clear, clear, clear],
            ]), over: Pixel(red: 255, green: 255, blue: 255)
        ).joined()
        #expect(
            text == " \u{1B}[38;2;255;0;0m▀▄\u{1B}[48;2;255;0;0m▀"
                + "\u{1B}[38;2;255;127;127;49m▀\u{1B}[0m\n     \n")
    }

    @Test("P2: kitty's protocol takes chunks of 4096 bytes, and the first one tells of all")
    func kitty() {
        #expect(
            KittyGraphics.codes(png: Data("abc".utf8)).joined()
                == "\u{1B}_Ga=T,f=100,q=2,m=0;YWJj\u{1B}\\\n")
        let long = Data((0..<7000).map { UInt8(truncatingIfNeeded: $0) })
        let base64 = long.base64EncodedString()
        let (first, second, third) = (
            base64.prefix(4096), base64.dropFirst(4096).prefix(4096), base64.dropFirst(8192)
        )
        #expect(
            KittyGraphics.codes(png: long).joined()
                == "\u{1B}_Ga=T,f=100,q=2,m=1;\(first)\u{1B}\\"
                + "\u{1B}_Gq=2,m=1;\(second)\u{1B}\\\u{1B}_Gq=2,m=0;\(third)\u{1B}\\\n")
        let exact = KittyGraphics.codes(png: Data(repeating: 0, count: 3072)).joined()
        #expect(exact.hasPrefix("\u{1B}_Ga=T,f=100,q=2,m=0;AAAA"))
    }

    @Test(
        "P2: how a picture is shown",
        arguments: [
            ([:], .blocks), (["TERM": "xterm-256color"], .blocks),
            (["TERM": "xterm-kitty"], .kitty), (["KITTY_WINDOW_ID": "1"], .kitty),
            (["TERM_PROGRAM": "ghostty"], .kitty), (["TERM_PROGRAM": "WezTerm"], .kitty),
            (["TERM_PROGRAM": "iTerm.app", "KITTY_WINDOW_ID": ""], .blocks),
            (["TERM": "xterm-kitty", "NO_COLOR": "1"], .text), (["NO_COLOR": ""], .blocks),
            (["TERM": "dumb"], .text),
            (["TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"], .blocks),
            (["TMUX": "/tmp/x", "TERM_PROGRAM": "ghostty"], .blocks),
        ] as [([String: String], PictureStyle)])
    func style(variables: [String: String], expected: PictureStyle) {
        #expect(PictureStyle(isTerminal: true) { variables[$0] } == expected)
        #expect(PictureStyle(isTerminal: false) { variables[$0] } == .text)
    }

    @Test("P2: the size of a terminal, and of what is none") func size() {
        let none = TerminalSize(winsize())
        #expect(none.columns == 80 && none.rows == nil)
        #expect(none.cellWidth == 10 && none.cellHeight == 20)
        let known = TerminalSize(
            winsize(ws_row: 50, ws_col: 200, ws_xpixel: 1600, ws_ypixel: 900))
        #expect(known.columns == 200 && known.rows == 50)
        #expect(known.cellWidth == 8 && known.cellHeight == 18)
        let odd = TerminalSize(winsize(ws_row: 50, ws_col: 200, ws_xpixel: 1, ws_ypixel: 1))
        #expect(odd.cellWidth == 1 && odd.cellHeight == 1)
    }

    @Test("P2: a line in a pipe; half blocks and kitty's protocol on request")
    func pipe() throws {
        let shell = try Shell()
        let origin = try OriginServer.start()
        defer { origin.stop() }
        let (red, blue) = (Self.red, Self.blue)
        let png = try RasterImage(Self.picture([[red, blue], [blue, blue]])).encoded(as: .png)
        origin.route("/a.png", .bytes([UInt8](png)))
        let gif = Fixture.folder.appending(path: "animated.gif").path
        let url = origin.address("/a.png?key=hunter2")
        let lines = try shell.run("show", url, gif)
        #expect(lines.status == 0 && lines.errors.isEmpty)
        #expect(
            lines.output == """
                \(origin.address("/a.png"))?key=…: PNG, 2 × 2
                \(gif): GIF, 96 × 64, 3 frames

                """)
        let blocks = try shell.run("show", "--blocks", url)
        #expect(
            blocks.output
                == "\u{1B}[38;2;255;0;0;48;2;0;0;255m▀\u{1B}[38;2;0;0;255m▀\u{1B}[0m\n")
        let small = try shell.run("show", "--blocks", gif, "--width", "12")
        #expect(small.lines.count == 4)
        let low = try shell.run("show", "--blocks", gif, "--height", "2")
        #expect(low.lines.count == 2)
        let kitty = try shell.run("show", "--kitty", "-w", "1000", gif)
        let payload = kitty.output.dropFirst("\u{1B}_Ga=T,f=100,q=2,m=0;".count)
            .prefix { $0 != "\u{1B}" }
        let shown = try RasterImage(decoding: #require(Data(base64Encoded: String(payload))))
        #expect(shown.pixelSize == PixelSize(width: 96, height: 64) && shown.frameCount == 1)
        let failed = try shell.run("show", "none.png", gif)
        #expect(failed.status == 1 && failed.lines.count == 1)
        #expect(failed.errors.contains("none.png: "))
    }

    @Test("P2: on a terminal the picture itself, as wide as that is") func terminal() throws {
        let shell = try Shell()
        let gif = Fixture.folder.appending(path: "animated.gif").path
        func show(_ setting: String, _ options: String = "") throws -> String {
            try shell.line(
                """
                export \(setting); script -qec \
                "stty cols 12 rows 40; $vitrine show \(options) '\(gif)'" /dev/null </dev/null
                """
            ).output
        }
        let blocks = try show("TERM=xterm-256color")
        #expect(blocks.split(whereSeparator: \.isNewline).count == 4)
        #expect(blocks.filter { $0 == "▀" }.count == 48)
        #expect(try show("TERM=xterm-kitty").hasPrefix("\u{1B}_Ga=T"))
        #expect(try show("TERM=xterm-kitty NO_COLOR=1").contains("GIF, 96 × 64"))
        #expect(try show("TERM=xterm NO_COLOR=1", "--blocks").contains("▀"))
    }

    @Test("P2: a command line that makes no sense is explained") func usage() throws {
        let shell = try Shell()
        for (words, message) in [
            ("show", "No URL or file"), ("show a --kitty --text", "Only one of"),
            ("show a --width 0", "from 1 to 1000"), ("show a --background 12", "such as ff8800"),
            ("show a --background 11223344", "such as ff8800"),
        ] {
            let answer = try shell.run(words: words.split(separator: " ").map(String.init))
            #expect(answer.status == 2 && answer.errors.contains(message), "\(words)")
        }
        #expect(try shell.run("show", "--help").status == 0)
    }
}
