import CGTK

/// Writes a line to GLib's log, as a warning of the domain `Vitrine`; the same line once only.
@MainActor
func warnOnce(_ line: String) {
    guard warned.count < 1000, warned.insert(line).inserted else { return }
    let texts = ["GLIB_DOMAIN", "Vitrine", "PRIORITY", "4", "MESSAGE", line].map { $0.utf8CString }
    var fields: [GLogField] = []
    // The arrays stay where they are for as long as `texts` lives, which is not changed.
    withExtendedLifetime(texts) {
        let pointers = texts.map { text in text.withUnsafeBufferPointer { $0.baseAddress } }
        for index in stride(from: 0, to: pointers.count, by: 2) {
            fields.append(GLogField(key: pointers[index], value: pointers[index + 1], length: -1))
        }
        g_log_structured_array(G_LOG_LEVEL_WARNING, &fields, gsize(fields.count))
    }
}

@MainActor private var warned: Set<String> = []
