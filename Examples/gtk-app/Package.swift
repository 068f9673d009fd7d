// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "gtk-app",
    dependencies: [.package(name: "vitrine", path: "../..")],
    targets: [
        .executableTarget(
            name: "gtk-app",
            dependencies: [
                .product(name: "Vitrine", package: "vitrine"),
                .product(name: "VitrineGTK", package: "vitrine"),
            ])
    ]
)
