import CGTK
import Glibc

/// GLib's loop on the main thread, while something is measured in it.
@MainActor enum BenchLoop {
    /// Runs the body in the loop, and ends the process: with 0 if it says that all is well.
    static func run(_ body: @escaping @MainActor () async throws -> Bool) -> Never {
        let loop = g_main_loop_new(nil, 0)
        var status: Int32 = 1
        Task {
            do {
                status = try await body() ? 0 : 1
            } catch {
                say("gtk-bench: \(error)")
            }
            g_main_loop_quit(loop)
        }
        g_main_loop_run(loop)
        fflush(nil)
        exit(status)
    }
}

/// Something that GTK or the display did not do.
struct BenchFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Seconds since some moment in the past.
func now() -> Double { Double(g_get_monotonic_time()) / 1e6 }

/// Seconds of processor that this thread has had.
func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

let gtkVersion =
    "\(gtk_get_major_version()).\(gtk_get_minor_version()).\(gtk_get_micro_version())"
