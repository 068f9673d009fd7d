import Vitrine

var configuration = ImageLoader.Configuration.thumbnails
configuration.schemes.insert("file")  // so that it can be tried without a server
let loader = ImageLoader(configuration)

let given = CommandLine.arguments[1]
let source = given.contains("://") ? URL(string: given) : nil
let jpeg = try await thumbnail(of: source ?? URL(filePath: given), loader)
try jpeg.write(to: URL(filePath: CommandLine.arguments[2]))
print(jpeg.count, "bytes")
