import FoundationEssentials
import Glibc

/// A GTK program for tests of what needs the real main thread: `gtk-host SCENARIO [WORD…]`.
///
/// It prints what it has found, each fault in a line that begins with `FAULT`, and ends with 0 only if
/// there was none. `main` is synchronous, as in every GTK program.
@main
struct GTKHost {
    @MainActor static func main() {
        let words = CommandLine.arguments.dropFirst()
        guard let scenario = words.first.flatMap({ scenarios[$0] }) else {
            print("usage: gtk-host", scenarios.keys.sorted().joined(separator: "|"))
            exit(64)
        }
        // Whatever it hangs in, it does not stay. A pool's thread that starts it blocks signals.
        var none = sigset_t()
        sigemptyset(&none)
        sigprocmask(SIG_SETMASK, &none, nil)
        alarm(120)
        scenario(Array(words.dropFirst()))
        Findings.end()
    }

    @MainActor private static let scenarios: [String: @MainActor ([String]) -> Void] = [
        "jobs": jobs,
        "detach": detaching,
        "nested": nesting,
        "redraw": redrawing,
        "starved": starving,
        "contend": contending,
        "results": results,
        "quit": quitting,
        "elsewhere": elsewhere,
        "parked": parked,
        "hops": hops,
        "accessible": accessible,
        "urlimage": urlImage,
        "scaled": scaled,
    ]
}

/// What a scenario has found.
@MainActor enum Findings {
    private static var faults = 0

    static func expect(_ condition: Bool, _ what: String) {
        if condition { return }
        faults += 1
        say("FAULT: not so: \(what)")
    }

    static func say(_ text: String) {
        print(text)
        fflush(nil)
    }

    static func end() -> Never {
        fflush(nil)
        exit(faults == 0 ? 0 : 1)
    }
}
