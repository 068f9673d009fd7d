import Glibc

/// Lets Vitrine and its peers take turns, and prints how they compare.
///
/// Arguments: temporary folder, folder of the built programs, folder of the scripts, Python, URL of
/// the server; then, if not all is wanted, which of `transfers`, `thumbnails`, `filters`, `decoding`,
/// `probes`, `caches`.
@main
enum Bench {
    private static let all = [
        "transfers", "thumbnails", "filters", "decoding", "probes", "caches",
    ]

    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 5 else { exit(2) }
        let workplace = Workplace(
            folder: arguments[0], programs: arguments[1], scripts: arguments[2],
            python: arguments[3], server: arguments[4])
        let parts = arguments.count > 5 ? Array(arguments[5...]) : all
        if parts.contains("transfers") {
            show(try Transfers(workplace: workplace).table())
        }
        if parts.contains("thumbnails") {
            let thumbnails = Thumbnails(workplace: workplace)
            show(try thumbnails.table())
            show(try thumbnails.qualityTable())
            show(try ThumbnailBatch(workplace: workplace).table())
        }
        if parts.contains("filters") {
            show(try Filters(workplace: workplace).table())
        }
        if parts.contains("decoding") || parts.contains("probes") {
            let files = try PhotoFiles(workplace: workplace)
            if parts.contains("decoding") { show(try FullDecodes(files: files).table()) }
            if parts.contains("probes") { show(try Probes(files: files).table()) }
        }
        if parts.contains("caches") {
            show(try CacheHits(workplace: workplace).table())
        }
    }

    private static func show(_ table: Table) {
        print("\n\(table)")
        // A run takes minutes; its first tables should be there before its last.
        fflush(nil)
    }
}
