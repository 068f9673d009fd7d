import Vitrine

guard let url = URL(string: CommandLine.arguments[1]) else { fatalError("That is no URL.") }
var request = ImageRequest(url)
request.targetSize = .fill(width: 256, height: 256)  // met while decoding
request.filters = [.circle]
request.priority = .high

do throws(ImageError) {
    let response = try await ImageLoader.shared.response(for: request)
    print(response, response.timings.total)
} catch {
    switch error.reason {
    case .status(let status): print("The server answered \(status).")
    default: print(error)  // one sentence, and the URL without its secrets
    }
}

let again = ImageLoader.shared.cachedImage(for: request)  // from memory, without waiting
print(again?.pixelSize.description ?? "not there, or the server gave it no lifetime")
await ImageLoader.shared.waitUntilIdle()  // until the disk cache has it
