import Vitrine

guard let url = URL(string: CommandLine.arguments[1]) else { fatalError("That is no URL.") }
var request = ImageRequest(url)
request.targetSize = .fill(width: 256, height: 256)  // met while decoding
request.filters = [.circle]
request.priority = .high

let response = try await ImageLoader.shared.response(for: request)
print(response, response.timings.total)

let again = ImageLoader.shared.cachedImage(for: request)  // from memory, without waiting
print(again?.pixelSize.description ?? "no longer fresh")
await ImageLoader.shared.waitUntilIdle()  // until the disk cache has it
