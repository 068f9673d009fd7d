// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "quick-start",
    dependencies: [.package(name: "vitrine", path: "../..")],
    targets: [
        .executableTarget(
            name: "app", dependencies: [.product(name: "Vitrine", package: "vitrine")]),
        .executableTarget(
            name: "list", dependencies: [.product(name: "Vitrine", package: "vitrine")]),
        .executableTarget(
            name: "decode", dependencies: [.product(name: "VitrineImaging", package: "vitrine")]),
        .executableTarget(
            name: "thumbnails", dependencies: [.product(name: "Vitrine", package: "vitrine")]),
    ]
)
