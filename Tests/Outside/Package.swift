// swift-tools-version: 6.2
import PackageDescription

// A package like those of users: it knows Vitrine by a git URL and a tag. `make outside` copies it
// elsewhere, says where Vitrine is, and builds it with and without the upcoming features.
let address = Context.environment["VITRINE_URL"] ?? "file:///missing/vitrine"
let isStrict = Context.environment["VITRINE_STRICT"] == "1"

let settings: [SwiftSetting] =
    isStrict
    ? [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ] : []

let package = Package(
    name: "outside",
    dependencies: [.package(url: address, exact: "0.0.1")],
    targets: [
        .executableTarget(
            name: "UseVitrine", dependencies: [.product(name: "Vitrine", package: "vitrine")],
            swiftSettings: settings),
        .executableTarget(
            name: "UseImaging",
            dependencies: [.product(name: "VitrineImaging", package: "vitrine")],
            swiftSettings: settings),
        .executableTarget(
            name: "UseHTTP", dependencies: [.product(name: "VitrineHTTP", package: "vitrine")],
            swiftSettings: settings),
        .executableTarget(
            name: "UseStorage",
            dependencies: [.product(name: "VitrineStorage", package: "vitrine")],
            swiftSettings: settings),
        .executableTarget(
            name: "UseTesting",
            dependencies: [.product(name: "VitrineTesting", package: "vitrine")],
            swiftSettings: settings),
        .executableTarget(
            name: "UseGTK",
            dependencies: [
                .product(name: "Vitrine", package: "vitrine"),
                .product(name: "VitrineGTK", package: "vitrine"),
            ],
            swiftSettings: settings),
    ]
)
