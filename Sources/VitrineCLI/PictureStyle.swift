import Glibc

/// How a picture is shown where standard output goes.
enum PictureStyle: Equatable {
    /// A line that tells of it.
    case text
    /// Half blocks in 24-bit colours.
    case blocks
    /// The graphics protocol of the terminal kitty.
    case kitty

    /// What standard output can do.
    ///
    /// - Parameter environment: the value of a variable; nil or empty if there is none.
    init(isTerminal: Bool, environment: (String) -> String?) {
        func has(_ name: String) -> Bool { environment(name)?.isEmpty == false }
        let term = environment("TERM") ?? ""
        guard isTerminal, !has("NO_COLOR"), term != "dumb" else {
            self = .text
            return
        }
        let program = environment("TERM_PROGRAM") ?? ""
        let speaksKitty =
            has("KITTY_WINDOW_ID") || term == "xterm-kitty" || term == "xterm-ghostty"
            || ["ghostty", "WezTerm"].contains(program)
        // These do not pass it on, and the variables of the terminal around them are still there.
        let isWithin =
            has("TMUX") || has("STY") || term.hasPrefix("tmux") || term.hasPrefix("screen")
        self = speaksKitty && !isWithin ? .kitty : .blocks
    }

    /// What `vitrine show` uses if it is not told.
    static var ofStandardOutput: Self {
        Self(isTerminal: isatty(1) == 1) { name in getenv(name).map { String(cString: $0) } }
    }
}

/// The size of the terminal at standard output.
struct TerminalSize: Equatable {
    var columns: Int
    /// Nil where there is no end, as in a file.
    var rows: Int?
    /// Of one character, in pixels.
    var cellWidth: Int
    var cellHeight: Int

    /// - Parameter size: what the system says; zeros where it knows nothing, as of a pipe.
    init(_ size: winsize) {
        columns = size.ws_col > 0 ? Int(size.ws_col) : 80
        rows = size.ws_row > 0 ? Int(size.ws_row) : nil
        cellWidth = max(1, size.ws_xpixel > 0 ? Int(size.ws_xpixel) / columns : 10)
        cellHeight = max(1, size.ws_ypixel > 0 ? Int(size.ws_ypixel) / (rows ?? 24) : 20)
    }

    static var ofStandardOutput: Self {
        var size = winsize()
        return Self(ioctl(1, UInt(TIOCGWINSZ), &size) == 0 ? size : winsize())
    }
}
