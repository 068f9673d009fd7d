package import VitrineHTTP
package import VitrineStorage

extension DiskStore {
    /// The store as an ``HTTPCache`` sees it, as in a loader, for programs that measure it.
    package var responses: any ResponseStore { DiskResponseStore(self) }
}
