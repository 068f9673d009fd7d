import Glibc

/// Gives the calling thread the name that a debugger, `top` and `/proc` show; at most 15 bytes count.
///
/// `pthread_setname_np` is not visible from Swift, so this writes the file behind it.
package func nameThisThread(_ name: String) {
    let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    var name = String(name.prefix(15))
    _ = name.withUTF8 { write(file, $0.baseAddress, $0.count) }
}
