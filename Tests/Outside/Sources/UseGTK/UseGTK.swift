import Vitrine
import VitrineGTK

/// What a program names of `VitrineGTK` for its loop, without a display.
@main
struct UseGTK {
    @MainActor static func main() {
        do {
            try MainLoop.attach()
        } catch {
            switch error {
            case .notOnMainThread, .loopOnAnotherThread: print(error.description)
            }
        }
        print("UseGTK:", MainLoop.isAttached, MemoryMonitor.isRunning, MainLoop.defaultPriority)
        let remote = RemoteImage(nil, delivery: .mainLoop)
        remote.load()
        MemoryMonitor.stop()
        MainLoop.detach()
        print(MainLoop.isAttached)
    }
}
