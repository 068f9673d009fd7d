import Glibc

/// Lets Vitrine and its peers take turns, and prints how they compare.
///
/// Arguments: temporary folder, folder of the built programs, that of the main package's tools, that
/// of the scripts, Python, URL of the server; then, if not all is wanted, which of `transfers`, `thumbnails`, `filters`, `decoding`,
/// `probes`, `caches`, `loads`.
@main
enum Bench {
    private static let all = [
        "transfers", "thumbnails", "filters", "decoding", "probes", "caches", "loads",
    ]

    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 6 else { exit(2) }
        let workplace = Workplace(
            folder: arguments[0], programs: arguments[1], tools: arguments[2],
            scripts: arguments[3], python: arguments[4], server: arguments[5])
        let parts = arguments.count > 6 ? Array(arguments[6...]) : all
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
            let storage = Storage(workplace: workplace)
            let (compared, alone) = try storage.tables()
            show(compared)
            show(alone)
            show(try storage.inlineTable())
            show(try HTTPCacheHits(workplace: workplace).table())
            show(try CacheHits(workplace: workplace).table())
        }
        if parts.contains("loads") {
            let loads = try Loads(workplace: workplace)
            show(try loads.table())
            show(try loads.memoryTable())
            show(try loads.firstTable())
            show(try loads.manyTable())
        }
    }

    private static func show(_ table: Table) {
        print("\n\(table)")
        // A run takes minutes; its first tables should be there before its last.
        fflush(nil)
    }
}
