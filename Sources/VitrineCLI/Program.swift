import FoundationEssentials
import Glibc
import Vitrine

/// The `vitrine` program: finds the subcommand and runs it.
@main
struct Program {
    /// How a run of the program ends.
    enum Status: Int32 {
        /// All that was asked for was done.
        case success = 0
        /// Something was not; what, stands on standard error.
        case failure = 1
        /// The command line made no sense.
        case usage = 2
        /// What was to be removed is not there.
        case notFound = 3
    }

    static func main() {
        openStandardFiles()
        // Whoever reads our output and goes ends us without a word, also where the parent ignores that.
        signal(SIGPIPE, SIG_DFL)
        let signals = Interruption.hold()
        // The main thread, and with it the main actor, does nothing but wait for signals.
        Task.detached {
            let terminal = Terminal()
            var status = await run(terminal)
            if let reason = terminal.outputFailure {
                terminal.complain("vitrine: standard output cannot be written to: \(reason).")
                status = .failure
            }
            exit(status.rawValue)
        }
        Interruption.wait(for: signals)
    }

    /// Whoever starts a program with one of these closed would have its messages written into the
    /// first file that it opens.
    private static func openStandardFiles() {
        for file in 0...2 as ClosedRange<Int32> where fcntl(file, F_GETFD) < 0 {
            // The lowest free number is given, which is this one.
            _ = open("/dev/null", file == 0 ? O_RDONLY : O_WRONLY)
        }
    }

    static func run(_ terminal: Terminal) async -> Status {
        do throws(UsageError) {
            let words = try words
            guard let command = words.first else {
                terminal.complain(help)
                return .usage
            }
            return try await run(command, Array(words.dropFirst()), terminal)
        } catch {
            terminal.complain(of: error)
            return .usage
        }
    }

    /// What follows the program's name on the command line.
    private static var words: [String] {
        get throws(UsageError) {
            var words: [String] = []
            for index in 1..<max(1, Int(CommandLine.argc)) {
                guard let word = CommandLine.unsafeArgv[index] else { break }
                // Swift's own list has other words in place of those that are not UTF-8, which would name
                // other files.
                guard let text = String(validatingCString: word) else {
                    let bytes = UnsafeBufferPointer(start: word, count: strlen(word))
                    throw UsageError(notUTF8(bytes, number: index))
                }
                words.append(text)
            }
            return words
        }
    }

    private static func notUTF8(_ word: some Collection<CChar>, number: Int) -> String {
        let shown = word.map { char in
            let byte = UInt8(bitPattern: char)
            guard !(0x20..<0x7F).contains(byte) else { return String(Unicode.Scalar(byte)) }
            return (byte < 0x10 ? "\\x0" : "\\x") + String(byte, radix: 16, uppercase: true)
        }.joined()
        // Passwords have a colon before them, and file names seldom one.
        let name = shown.contains(":") ? "" : " (\(shown))"
        return """
            Argument \(number)\(name) is not UTF-8. A picture of such a name can be given as a URL, in which \
            %E9 is the byte \\xE9: file:///folder/caf%E9.png.
            """
    }

    private static func run(
        _ command: String, _ words: [String], _ terminal: Terminal
    ) async throws(UsageError) -> Status {
        switch command {
        case "get": return try await GetCommand.run(words, terminal)
        case "show": return try await ShowCommand.run(words, terminal)
        case "info": return try await InfoCommand.run(words, terminal)
        case "cache": return try await CacheCommand.run(words, terminal)
        case "help" where !words.isEmpty:
            return try await run(words[0], words.dropFirst() + ["--help"], terminal)
        case "--help", "-h", "help":
            terminal.say(help)
            return .success
        case "--version":
            terminal.say(versions)
            return .success
        default: throw UsageError("There is no command \(command); see vitrine --help.")
        }
    }

    static let help = """
        Usage: vitrine COMMAND …

        Gets pictures from URLs: fetched, resized, filtered and cached.

        Commands:
          get URL…         fetch pictures into a folder
          show URL|FILE…   show pictures in the terminal
          info URL|FILE…   say what a picture is, and how it came
          cache ACTION     look at the disk cache, tidy it, or empty it

        vitrine COMMAND --help and vitrine help COMMAND say more of each;
        vitrine --version names the libraries.

        Exit status:
          0    all went well
          1    something failed, or is incomplete; what, stands on standard error
          2    the command line is wrong, or names no picture at all
          3    vitrine cache remove found nothing to remove
          128+ a signal has ended it: 130 after Ctrl-C, 141 where nobody reads on

        Environment:
          XDG_CACHE_HOME                     where the cache is, else ~/.cache
          http_proxy, https_proxy, no_proxy  proxies, and the hosts that need none
          NO_COLOR                           show draws nothing
          TERM=dumb                          nor does it then; and no progress is shown
        """

    private static var versions: String {
        "vitrine \(ImageLoader.version)\n"
            + ImageLoader.libraryVersions.map { "\($0.name) \($0.version)" }
            .joined(separator: "\n")
    }
}
