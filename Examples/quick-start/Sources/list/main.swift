import Vitrine

let requests = CommandLine.arguments.dropFirst().compactMap { URL(string: $0) }.map { url in
    var request = ImageRequest(url)
    request.targetSize = .fill(width: 256, height: 256)
    request.filters = [.circle, .sepia()]
    return request
}
for await picture in ImageLoader.shared.images(for: requests) {  // as they come, failures too
    switch picture.result {
    case .success(let response): print(picture.request.url, response.source)
    case .failure(let error): print(error)
    }
}
await ImageLoader.shared.waitUntilIdle()  // until the disk cache has them
