import FoundationEssentials
import VitrineHTTP

@main
struct UseHTTP {
    static func main() async throws {
        guard let url = URL(string: "https://picture.example/a.png") else { return }
        var request = HTTP.Request(url, headers: ["Accept": "image/*"])
        request.timeouts = HTTP.Timeouts(connect: .seconds(1))
        request.secretHeaders = ["X-Api-Key"]
        let follower = RedirectFollower(over: Answering(), limit: 3)
        let response = try await follower.exchange(request)
        var count = 0
        for try await chunk in response.body { count += chunk.count }
        print("UseHTTP:", response, response.headers["content-type"] ?? "", count)

        var configuration = CurlTransport.Configuration()
        configuration.addressRule = .publicOnly
        configuration.proxy = .none
        let transport = CurlTransport(configuration: configuration)
        guard let local = URL(string: "http://127.0.0.1:9/") else { return }
        do {
            let answer = try await transport.exchange(HTTP.Request(local, method: .head))
            print(try await answer.body.collect(limit: 100).count)
        } catch {
            if case .addressForbidden(let host, _) = error { print(host) }
        }
        transport.shutdown()
    }
}

/// A transport of one's own.
private struct Answering: Transport {
    func exchange(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
        HTTP.Response(
            url: request.url, status: 200, headers: ["Content-Type": "image/png"],
            body: .bytes(Data([1, 2, 3])))
    }
}
