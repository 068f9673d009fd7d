import Glibc

/// The demo: loads pictures with the real `vitrine` program, cold and then warm, says how long it
/// took and what the origin saw, and lays all pictures out on one sheet.
///
///     demo [LIST]
///     demo gallery [OPTION…]
///
/// Without a list of URLs an origin on loopback serves the pictures in `.build/demo/pictures`. The second
/// form opens them in `vitrine-gallery`, which gets the options.
@main
struct Demo {
    static func main() {
        Interruption.watch()
        let words = CommandLine.arguments.dropFirst()
        let list = words.first
        do {
            if list == "gallery" {
                exit(try GalleryShow.run(Array(words.dropFirst())))
            }
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
