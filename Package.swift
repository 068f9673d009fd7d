// swift-tools-version: 6.2
import PackageDescription

/// Whether the views for GTK 4 are built. `VITRINE_GTK=0` leaves them out, on a machine without GTK.
let withGTK = Context.environment["VITRINE_GTK"] != "0"

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "vitrine",
    products: [
        .library(name: "Vitrine", targets: ["Vitrine"]),
        .library(name: "VitrineImaging", targets: ["VitrineImaging"]),
        .library(name: "VitrineHTTP", targets: ["VitrineHTTP"]),
        .library(name: "VitrineStorage", targets: ["VitrineStorage"]),
        .library(name: "VitrineTesting", targets: ["VitrineTesting"]),
        .executable(name: "vitrine", targets: ["VitrineCLI"]),
    ],
    targets: [
        // Rock: a module map and a header each.
        // libvips is loaded when it is first needed, so only GLib is linked here.
        .systemLibrary(
            name: "CVips", pkgConfig: "gobject-2.0", providers: [.apt(["libvips-dev"])]),
        // These two likewise; by pkg-config they would be linked.
        .systemLibrary(name: "CWebP", providers: [.apt(["libwebp-dev"])]),
        .systemLibrary(name: "CAVIF", providers: [.apt(["libavif-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),

        // Cellar.
        .target(name: "VitrineBase", swiftSettings: settings),

        // Ground: these three do not know each other.
        .target(
            name: "VitrineImaging",
            dependencies: ["VitrineBase", "CVips", "CWebP", "CAVIF", "CZlib"],
            swiftSettings: settings),
        .target(
            name: "VitrineHTTP", dependencies: ["VitrineBase", "CCurl"], swiftSettings: settings),
        .target(
            name: "VitrineStorage", dependencies: ["VitrineBase", "CSQLite"],
            swiftSettings: settings),

        // Floor 1.
        .target(
            name: "Vitrine",
            dependencies: ["VitrineBase", "VitrineImaging", "VitrineHTTP", "VitrineStorage"],
            swiftSettings: settings),

        // Floor 2.
        .target(
            name: "VitrineTesting",
            dependencies: ["Vitrine", "VitrineBase", "VitrineHTTP", "VitrineImaging"],
            swiftSettings: settings),

        // Floor 3.
        .target(name: "PictureLists", swiftSettings: settings),
        .executableTarget(
            name: "VitrineCLI",
            dependencies: [
                "Vitrine", "VitrineBase", "VitrineHTTP", "VitrineStorage", "PictureLists",
            ],
            swiftSettings: settings),

        // `make demo`; no product, since it only shows the others.
        .executableTarget(
            name: "demo",
            dependencies: ["VitrineBase", "VitrineHTTP", "VitrineImaging", "OriginSupport"],
            path: "Demo", swiftSettings: settings),

        // For the people who work on this package.
        .executableTarget(
            name: "conformance", dependencies: ["VitrineImaging"], path: "Tools/Conformance",
            swiftSettings: settings),
        .executableTarget(
            name: "cache-probe", dependencies: ["VitrineBase", "VitrineHTTP"],
            path: "Tools/CacheProbe", swiftSettings: settings),
        .executableTarget(
            name: "storage-speed",
            dependencies: [
                "Vitrine", "VitrineBase", "VitrineHTTP", "VitrineStorage", "AllocationCounter",
            ],
            path: "Tools/StorageSpeed", swiftSettings: settings),
        .executableTarget(
            name: "soak",
            dependencies: [
                "Vitrine", "VitrineBase", "VitrineHTTP", "VitrineImaging", "OriginSupport",
                "DeterminismSupport", "HeapFacts",
            ],
            path: "Tools/Soak", swiftSettings: settings),
        .executableTarget(
            name: "mutants", dependencies: ["VitrineImaging", "DeterminismSupport"],
            path: "Tools/Mutants",
            swiftSettings: settings),

        // Tests mirror Sources.
        .target(
            name: "DeterminismSupport", dependencies: ["VitrineBase"],
            path: "Tests/Support/Determinism", swiftSettings: settings),
        .target(
            name: "OriginSupport", dependencies: ["VitrineBase"], path: "Tests/Support/Origin",
            swiftSettings: settings),
        .target(
            name: "PixelSupport", dependencies: ["VitrineImaging"], path: "Tests/Support/Pixels",
            swiftSettings: settings),
        .target(name: "SlowResolver", path: "Tests/Support/SlowResolver"),
        .executableTarget(
            name: "store-crasher", dependencies: ["VitrineStorage"],
            path: "Tests/Support/StoreCrasher", swiftSettings: settings),
        .target(name: "HeapFacts", path: "Tests/Support/HeapFacts"),
        .target(name: "AllocationCounter", path: "Tests/Support/AllocationCounter"),
        .executableTarget(
            name: "allocation-count", dependencies: ["AllocationCounter", "VitrineStorage"],
            path: "Tests/Support/AllocationCount", swiftSettings: settings),
        .executableTarget(
            name: "imaging-host", dependencies: ["VitrineImaging", "CVips"],
            path: "Tests/Support/ImagingHost", swiftSettings: settings,
            linkerSettings: [.linkedLibrary("vips")]),
        .executableTarget(
            name: "thumbnail-host", dependencies: ["VitrineImaging"],
            path: "Tests/Support/ThumbnailHost", swiftSettings: settings),
        .testTarget(
            name: "VitrineBaseTests", dependencies: ["VitrineBase", "DeterminismSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "VitrineImagingTests",
            dependencies: [
                "VitrineBase", "VitrineImaging", "DeterminismSupport", "PixelSupport",
                "imaging-host", "thumbnail-host",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "VitrineHTTPTests",
            dependencies: [
                "VitrineHTTP", "VitrineBase", "DeterminismSupport", "OriginSupport", "SlowResolver",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "VitrineStorageTests",
            dependencies: [
                "VitrineStorage", "VitrineBase", "CSQLite", "DeterminismSupport", "store-crasher",
                "allocation-count",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "VitrineTests",
            dependencies: [
                "Vitrine", "VitrineBase", "VitrineHTTP", "VitrineStorage", "VitrineImaging",
                "DeterminismSupport", "OriginSupport", "PixelSupport", "HeapFacts",
                "VitrineTesting",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "VitrineTestingTests", dependencies: ["VitrineTesting"], swiftSettings: settings),
        .testTarget(
            name: "ComingFromTests",
            dependencies: ["VitrineTesting", "VitrineBase", "VitrineStorage"],
            swiftSettings: settings),
        .testTarget(
            name: "ReadmeTests", dependencies: ["VitrineCLI", "VitrineImaging"],
            swiftSettings: settings),
        .testTarget(
            name: "VitrineCLITests",
            dependencies: [
                "VitrineCLI", "PictureLists", "VitrineImaging", "OriginSupport", "PixelSupport",
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)

if withGTK {
    package.products += [
        .library(name: "VitrineGTK", targets: ["VitrineGTK"]),
        .executable(name: "vitrine-gallery", targets: ["VitrineGallery"]),
    ]
    package.targets += [
        .systemLibrary(name: "CGTK", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
        .target(
            name: "VitrineGTK",
            dependencies: ["Vitrine", "VitrineBase", "VitrineImaging", "VitrineStorage", "CGTK"],
            swiftSettings: settings),
        .target(
            name: "DisplaySupport", dependencies: ["CGTK"], path: "Tests/Support/Display",
            swiftSettings: settings),
        .executableTarget(
            name: "gtk-host", dependencies: ["VitrineGTK", "Vitrine", "VitrineBase", "CGTK"],
            path: "Tests/Support/GTKHost", swiftSettings: settings),
        .executableTarget(
            name: "gtk-bench",
            dependencies: [
                "VitrineGTK", "Vitrine", "VitrineImaging", "CGTK", "DisplaySupport",
                "OriginSupport",
            ],
            path: "Tools/GTKBench", swiftSettings: settings),
        .testTarget(
            name: "VitrineGTKTests",
            dependencies: [
                "VitrineGTK", "Vitrine", "VitrineBase", "VitrineImaging", "VitrineStorage",
                "VitrineTesting", "CGTK", "DeterminismSupport", "DisplaySupport", "OriginSupport",
                "PixelSupport", "gtk-host",
            ],
            exclude: ["Painting/Golden"],
            swiftSettings: settings),
        .executableTarget(
            name: "VitrineGallery",
            dependencies: [
                "VitrineGTK", "Vitrine", "VitrineBase", "VitrineHTTP", "PictureLists", "CGTK",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "VitrineGalleryTests",
            dependencies: [
                "VitrineGallery", "PictureLists", "Vitrine", "VitrineImaging", "DisplaySupport",
                "OriginSupport", "PixelSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ComingFromViewsTests",
            dependencies: ["VitrineGTK", "VitrineTesting", "CGTK", "DisplaySupport"],
            swiftSettings: settings),
    ]
}
