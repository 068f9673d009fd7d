import Glibc

/// A call of the operating system that failed.
struct SystemError: Error {
    let code: Int32

    init(_ code: Int32 = errno) { self.code = code }

    var reason: String { SystemError.text(code) }

    /// What a number of `errno` means, without a trailing period.
    static func text(_ code: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let base = buffer.baseAddress, strerror_r(code, base, buffer.count) == 0 else {
                return "error \(code)"
            }
            return String(cString: base)
        }
    }
}
