import CGTK

/// Writes a line to GLib's log, as a warning of the domain `Vitrine`; the same line once only.
@MainActor
func warnOnce(_ line: String) {
    guard warned.count < 1000, warned.insert(line).inserted else { return }
    cgtk_warn(line)
}

@MainActor private var warned: Set<String> = []
