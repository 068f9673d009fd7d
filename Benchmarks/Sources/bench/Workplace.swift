import Glibc

/// Where everything is that a run needs; made by run.sh.
struct Workplace {
    /// Temporary; holds the photos and takes the results.
    let folder: String
    /// Where the clients are that were built with this program.
    let programs: String
    /// Where the main package's own tools are.
    let tools: String
    /// Where the peers' scripts are.
    let scripts: String
    /// The interpreter of the virtual environment.
    let python: String
    /// Where nginx listens.
    let server: String

    /// Pictures of equal content under different names, so that no cache by name can help.
    var photos: [String] { (0..<16).map { "\(folder)/photos/photo-\($0).jpg" } }
    var bodyURL: String { "\(server)/30k.bin" }
    var pictureURL: String { "\(server)/small.jpg" }

    func program(_ name: String) -> String { "\(programs)/\(name)" }
    func thumbnails(_ contender: String) -> String { "\(folder)/thumbnails/\(contender)" }

    func write(_ text: String, to path: String) throws {
        guard let file = fopen(path, "w") else {
            throw Program.Failure(description: "\(path) cannot be written")
        }
        defer { fclose(file) }
        guard fputs(text, file) >= 0 else {
            throw Program.Failure(description: "\(path) cannot be written")
        }
    }
}
