import CGTK
import Dispatch
import VitrineGTK

/// A loop within a job serves no other job, but neither spins nor loses one; a loop within a callback
/// of GLib serves them.
@MainActor func nesting(_ words: [String]) {
    attach()
    let loop = HostLoop()
    let inner = Switch()
    let reattached = Switch()
    DispatchQueue.main.async {
        MainActor.assumeIsolated {
            DispatchQueue.main.async { MainActor.assumeIsolated { inner.isOn = true } }
            let count = iterate(milliseconds: 200)
            Findings.expect(!inner.isOn, "no job runs within another one")
            Findings.expect(count < 100, "the inner loop sleeps; it was woken \(count) times")

            // GLib would leave out the source from which the job came, but this is another one.
            MainLoop.detach()
            attach()
            DispatchQueue.main.async { MainActor.assumeIsolated { reattached.isOn = true } }
            let again = iterate(milliseconds: 200)
            Findings.expect(!reattached.isOn, "no job runs within another one, attached anew")
            Findings.expect(again < 100, "it sleeps, attached anew; it was woken \(again) times")
        }
    }
    after(milliseconds: 600) { loop.quit() }
    loop.run()
    Findings.expect(inner.isOn, "the job that waited runs afterwards")
    Findings.expect(reattached.isOn, "so does the one of the new source")

    let nested = Switch()
    after(milliseconds: 1) {
        DispatchQueue.main.async { MainActor.assumeIsolated { nested.isOn = true } }
        _ = iterate(milliseconds: 100)
        Findings.expect(nested.isOn, "a loop within a callback serves jobs")
        loop.quit()
    }
    loop.run()
}
