// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "remote-picture",
    dependencies: [
        .package(name: "vitrine", path: "../.."),
        .package(url: "https://github.com/AparokshaUI/adwaita-swift", branch: "main"),
    ],
    targets: [
        .target(
            name: "RemotePicture",
            dependencies: [
                .product(name: "Vitrine", package: "vitrine"),
                .product(name: "VitrineGTK", package: "vitrine"),
                .product(name: "Adwaita", package: "adwaita-swift"),
            ])
    ]
)
