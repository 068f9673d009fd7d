// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "vitrine-benchmarks",
    dependencies: [.package(name: "vitrine", path: "..")],
    targets: [
        // Starts the others, by turns, and prints the tables.
        .executableTarget(name: "bench", swiftSettings: settings),
        .executableTarget(
            name: "transfer-vitrine",
            dependencies: [.product(name: "VitrineHTTP", package: "vitrine")],
            swiftSettings: settings),
        .executableTarget(name: "transfer-urlsession", swiftSettings: settings),
        .target(
            name: "thumbnails",
            dependencies: [.product(name: "VitrineImaging", package: "vitrine")],
            swiftSettings: settings),
        .executableTarget(
            name: "thumbnail-vitrine", dependencies: ["thumbnails"], swiftSettings: settings),
        .executableTarget(
            name: "filters-vitrine",
            dependencies: [.product(name: "VitrineImaging", package: "vitrine")],
            swiftSettings: settings),
        .executableTarget(
            name: "batch-vitrine", dependencies: ["thumbnails"], swiftSettings: settings),
        .executableTarget(
            name: "decode-vitrine",
            dependencies: [.product(name: "VitrineImaging", package: "vitrine")],
            swiftSettings: settings),
        .executableTarget(
            name: "decode-c", linkerSettings: [.linkedLibrary("webp"), .linkedLibrary("avif")]),
        .executableTarget(
            name: "probe-vitrine",
            dependencies: [.product(name: "VitrineImaging", package: "vitrine")],
            swiftSettings: settings),
        .executableTarget(
            name: "cache-hits",
            dependencies: [.product(name: "Vitrine", package: "vitrine")],
            swiftSettings: settings),
        .executableTarget(
            name: "loads-vitrine",
            dependencies: [
                .product(name: "Vitrine", package: "vitrine"),
                .product(name: "VitrineHTTP", package: "vitrine"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
