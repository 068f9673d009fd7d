import FoundationEssentials
import Testing
import VitrineStorage

@Suite struct GroupFolderTests {
    @Test("C7: a group that is written to meanwhile can be removed") func removedWhileWritten()
        async throws
    {
        let home = try TemporaryFolder()
        let group = GroupFolder("busy", in: home.storePath)
        let writers = (0..<4).map { number in
            Task {
                let store = DiskStore(DiskStore.Configuration(directory: group.path))
                let body = DiskStore.Body.bytes(Data(count: 40_000))
                var round = 0
                while !Task.isCancelled {
                    round += 1
                    // The folder may go while it is written to, and then it is not stored.
                    _ = try? await store.insert(body, metadata: Data(), for: "\(number) \(round)")
                }
            }
        }
        for _ in 0..<60 {
            try await Task.sleep(for: .milliseconds(2))
            try group.remove()
        }
        for writer in writers { writer.cancel() }
        for writer in writers { await writer.value }
        try group.remove()
        #expect(GroupFolder.all(in: home.storePath).isEmpty)
    }
}
