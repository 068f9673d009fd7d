/// A mistake on the command line, as a sentence.
struct UsageError: Error, Equatable, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// What the command line asks for.
struct GalleryArguments: Equatable {
    /// What is to be done.
    enum Purpose: Equatable {
        case showPictures, showHelp, showVersions
    }

    /// Light or dark.
    enum Style: Equatable {
        case ofDesktop, light, dark
    }

    var purpose = Purpose.showPictures
    /// URLs, files, folders and lists, in their order.
    var sources: [String] = []
    var style = Style.ofDesktop
    /// Of the window to begin with, in logical pixels.
    var width = 1100
    var height = 760
    /// The picture that is shown by itself to begin with, counted from 0.
    var shown: Int?
    /// Where a picture of the window is written, after which the program ends.
    var screenshot: String?

    /// Parses as POSIX and GNU programs do: `--name value`, `--name=value`; after `--` nothing is an
    /// option, and `-` alone never is.
    init(_ words: [String]) throws(UsageError) {
        var words = words[...]
        while let word = words.popFirst() {
            if word == "--" {
                sources += words
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                sources.append(word)
                continue
            }
            var name = word
            var value: String?
            if word.hasPrefix("--"), let equals = word.firstIndex(of: "=") {
                name = String(word[..<equals])
                value = String(word[word.index(after: equals)...])
            }
            if let change = Self.flags[name] {
                guard value == nil else { throw UsageError("\(name) takes no value.") }
                change(&self)
            } else {
                try set(name, value, &words)
            }
        }
    }

    private static let flags: [String: @Sendable (inout GalleryArguments) -> Void] = [
        "--help": { $0.purpose = .showHelp }, "-h": { $0.purpose = .showHelp },
        "--version": { $0.purpose = .showVersions },
        "--dark": { $0.style = .dark }, "--light": { $0.style = .light },
    ]

    private mutating func set(
        _ name: String, _ attached: String?, _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        let placeholder =
            switch name {
            case "--size": "WxH"
            case "--show": "N"
            case "--screenshot": "FILE"
            default:
                throw UsageError("There is no option \(name); see vitrine-gallery --help.")
            }
        guard let value = attached ?? rest.popFirst() else {
            throw UsageError("\(name) needs a value: \(name) \(placeholder).")
        }
        switch name {
        case "--size": (width, height) = try Self.size(value)
        case "--show":
            guard let number = Int(value), number > 0 else {
                throw UsageError(
                    "--show takes the number of a picture, from 1 up, not \"\(value)\".")
            }
            shown = number - 1
        default:
            guard !value.isEmpty else {
                throw UsageError("--screenshot takes the name of a file.")
            }
            screenshot = value
        }
    }

    private static func size(_ text: String) throws(UsageError) -> (Int, Int) {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        let range = 200...8000
        guard sides.count == 2, let width = sides[0], let height = sides[1],
            range.contains(width), range.contains(height)
        else {
            throw UsageError(
                "--size takes a size such as 1100x760, with sides from 200 to 8000, not \"\(text)\"."
            )
        }
        return (width, height)
    }

    static let help = """
        Usage: vitrine-gallery [options] [SOURCE…]

        Shows pictures in a window: a grid to scroll through, and each by itself to look at closely.

        A source is the URL of a picture, a picture file, a folder with pictures in it or in its
        folders, a text file or a pipe that names such sources, one a line, or - for such a list on
        standard input. Without any the window opens empty; pictures can be dropped on it.

        Options:
          --dark, --light    this style, whatever the desktop prefers
          --size WxH         size of the window to begin with; 1100x760 otherwise
          --show N           begin with picture N by itself, counted from 1
          --screenshot FILE  once what is in sight has loaded, or failed, and after half a minute
                             at most: write the window as a PNG file, and end
          -h, --help         show this
          --version          name the libraries

        Keys:
          arrows, Enter      move in the grid, and open a picture
          Escape             go back
          Left, Right        previous and next picture; move about in one that is zoomed in
          + - 0 1            zoom in, out, to the window, to its own size
          F5                 try again what has failed
          F11, Ctrl+Q        full screen, quit; Ctrl+? shows all keys

        Exit status: 0 if the window was shown and closed, 1 if it could not be, 2 if the command
        line is wrong.
        """
}
