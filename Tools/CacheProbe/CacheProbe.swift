import FoundationEssentials
import VitrineBase
import VitrineHTTP

/// Fetches through the HTTP cache what a judge asks for: one JSON object a line on standard input,
/// one answer a line on standard output, many at once and in any order.
///
///     -> {"op":"fetch","id":1,"url":"http://…","method":"GET","headers":[["K","V"]],"body":null,
///         "cache":"default"|"no-cache","redirect":"follow"|"manual"}
///     <- {"id":1,"status":200,"headers":[["K","V"]],"body":"text"}   or   {"id":1,"error":"why"}
///
/// The cache is in memory and ends with the program.
@main
enum CacheProbe {
    static func main() async {
        let transport = CurlTransport(
            configuration: .init(
                maximumConnectionsPerHost: 256, maximumIdleConnections: 256, proxy: .none))
        let cache = HTTPCache(over: transport, store: MemoryResponseStore(maximumBytes: 64 << 20))
        let answers = Answers()
        await withDiscardingTaskGroup { group in
            for await line in lines() {
                group.addTask {
                    if let answer = await answer(to: line, cache) { answers.write(answer) }
                }
            }
        }
    }

    private static let pool = BlockingPool(name: "probe-input", threads: 1)

    /// The lines of standard input, read on a thread of their own, since reading blocks.
    private static func lines() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        pool.submit {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        return stream
    }

    private static func answer(to line: String, _ cache: HTTPCache) async -> Answer? {
        guard let question = try? JSONDecoder().decode(Question.self, from: Data(line.utf8))
        else { return nil }
        do {
            return try await fetch(question, cache)
        } catch {
            return Answer(id: question.id, error: "\(error)")
        }
    }

    private static func fetch(_ question: Question, _ cache: HTTPCache) async throws -> Answer {
        guard let url = URL(string: question.url) else {
            return Answer(id: question.id, error: "this is no URL")
        }
        var request = HTTP.Request(
            url, method: HTTP.Method(rawValue: question.method),
            body: question.body.map { Data($0.utf8) })
        for field in question.headers where field.count == 2 {
            request.headers.add(field[0], field[1])
        }
        let cached = cache.transport(policy: question.cache == "no-cache" ? .revalidate : .standard)
        let response =
            question.redirect == "manual"
            ? try await cached.exchange(request)
            : try await RedirectFollower(over: cached).exchange(request)
        let spool = BodySpool()
        for try await chunk in response.body { try await spool.append(chunk) }
        spool.finish()
        // Nothing decodes here: a body that is complete is good.
        await response.ticket?.store(spool)
        return Answer(
            id: question.id, status: response.status,
            headers: response.headers.map { [$0.name, $0.value] },
            body: String(decoding: try await spool.bytes(), as: UTF8.self))
    }
}
