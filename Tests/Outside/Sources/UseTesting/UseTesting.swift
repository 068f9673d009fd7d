import VitrineTesting

/// What a user's test names of `VitrineTesting`, with no other import.
@main
struct UseTesting {
    static func main() async throws {
        guard let url = URL(string: "https://picture.example/a.png") else { return }
        let gate = Gate()
        let transport = ScriptedTransport()
        transport.answer(
            url, with: .failure(.dns(host: "picture.example")),
            .bytes(try TestPicture.gradient(width: 40, height: 20), headers: ["ETag": "\"1\""])
                .chunked(by: 50).pausing(at: gate).delayed(by: .seconds(2)))
        let loader = ImageLoader.scripted(transport) { $0.maximumActiveDownloads = 1 }
        do {
            _ = try await loader.image(from: url)
        } catch {
            if case .transport(.dns(let host)) = error.reason { print(host) }
        }
        let task = loader.task(for: ImageRequest(url, filters: [.circle]))
        await transport.clock.waitForSleepers()
        transport.clock.advance(by: .seconds(2))
        gate.open()
        print("UseTesting:", try await task.image.pixelSize, transport.requests(for: url).count)
        await transport.waitUntilIdle()
        print(transport.requests.first?.headers["accept-encoding"] ?? "", transport.mostActive)
    }
}
