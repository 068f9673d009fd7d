import Glibc

/// The demo: loads pictures with the real `vitrine` program, cold and then warm, says how long it
/// took and what the origin saw, and lays all pictures out on one sheet.
///
///     demo [LIST]
///
/// Without a list of URLs an origin on loopback serves the pictures in `.build/demo/pictures`.
@main
struct Demo {
    static func main() {
        Interruption.watch()
        let list = CommandLine.arguments.dropFirst().first
        do {
            let problems = try Show(list: list).run()
            if !problems.isEmpty { Text.complain("") }
            for problem in problems { Text.complain("  ✗ \(problem)") }
            exit(problems.isEmpty ? 0 : 1)
        } catch {
            Text.complain("The demo failed: \(error)")
            exit(1)
        }
    }
}

/// Why the demo cannot go on.
struct DemoFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
