import Testing
import VitrineStorage

@Suite struct CacheDirectoryTests {
    private func folder(
        _ id: String, _ environment: [String: String], home: String? = nil
    ) -> String {
        DiskStore.defaultDirectory(applicationID: id) {
            environment[$0]
        } home: {
            home
        }
    }

    @Test("C3: each app has a folder of its own below XDG_CACHE_HOME or ~/.cache")
    func places() {
        let home = ["HOME": "/home/ada"]
        #expect(folder("org.example.Viewer", home) == "/home/ada/.cache/org.example.Viewer/vitrine")
        #expect(
            folder("app", ["HOME": "/home/ada", "XDG_CACHE_HOME": "/c"]) == "/c/app/vitrine")
    }

    @Test("C3: a relative or empty XDG_CACHE_HOME is ignored", arguments: ["", "cache", "./x"])
    func ignored(value: String) {
        let environment = ["HOME": "/home/ada", "XDG_CACHE_HOME": value]
        #expect(folder("app", environment) == "/home/ada/.cache/app/vitrine")
    }

    @Test(
        "C3: without HOME it is the home that the system knows, and never one that others can make")
    func noHome() {
        for environment in [[:], ["HOME": "relative"], ["HOME": ""]] {
            #expect(folder("app", environment, home: "/home/ada") == "/home/ada/.cache/app/vitrine")
            for home in [nil, "", "here"] {
                let path = folder("app", environment, home: home)
                #expect(path == "/nonexistent/.cache/app/vitrine")
            }
        }
    }

    @Test(
        "C3: no identifier leads out of the folder",
        arguments: [
            ("../../etc", "___.._etc"), ("..", "__"), (".", "_"), ("", "_"), ("a/b", "a_b"),
            ("a\0b", "a_b"), (".hidden", "_hidden"), ("größe", "gr__e"),
        ])
    func sanitised(id: String, name: String) {

        #expect(folder(id, ["HOME": "/h"]) == "/h/.cache/\(name)/vitrine")
        #expect(folder(String(repeating: "x", count: 5000), ["HOME": "/h"]).utf8.count < 160)
    }
}
