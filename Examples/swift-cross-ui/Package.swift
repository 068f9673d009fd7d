// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "remote-picture",
    dependencies: [
        .package(name: "vitrine", path: "../.."),
        .package(url: "https://github.com/moreSwift/swift-cross-ui", branch: "main"),
        .package(
            url: "https://github.com/stackotter/swift-image-formats", .upToNextMinor(from: "0.3.3")),
    ],
    targets: [
        .target(
            name: "RemotePicture",
            dependencies: [
                .product(name: "Vitrine", package: "vitrine"),
                .product(name: "VitrineGTK", package: "vitrine"),
                .product(name: "SwiftCrossUI", package: "swift-cross-ui"),
                .product(name: "GtkBackend", package: "swift-cross-ui"),
                .product(name: "Gtk", package: "swift-cross-ui"),
                .product(name: "ImageFormats", package: "swift-image-formats"),
            ])
    ]
)
