import FoundationEssentials

/// Untrusted bytes: every read is checked against their end, in every build.
///
/// The subscript of `UnsafeRawBufferPointer` checks in debug builds only; decoders of this module
/// read through this type alone. It lives only as long as the bytes are borrowed.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    /// The byte at `offset`; 0 where there is none, for loops whose bounds were checked before.
    @inline(__always)
    subscript(offset: Int) -> UInt8 {
        UInt(bitPattern: offset) < UInt(bitPattern: bytes.count) ? bytes[offset] : 0
    }

    /// The byte at `offset`; nil where there is none.
    @inline(__always)
    func byte(at offset: Int) -> UInt8? {
        UInt(bitPattern: offset) < UInt(bitPattern: bytes.count) ? bytes[offset] : nil
    }

    /// The four bytes at `offset`, the first one lowest; 0 where they are not all there.
    @inline(__always)
    func word(at offset: Int) -> UInt32 {
        guard offset >= 0, offset <= bytes.count - 4 else { return 0 }
        return UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    func little16(at offset: Int) -> Int? {
        guard has(2, at: offset) else { return nil }
        return Int(self[offset]) | Int(self[offset + 1]) << 8
    }

    func little32(at offset: Int) -> Int? {
        guard has(4, at: offset) else { return nil }
        return Int(self[offset]) | Int(self[offset + 1]) << 8 | Int(self[offset + 2]) << 16
            | Int(self[offset + 3]) << 24
    }

    func signedLittle32(at offset: Int) -> Int? {
        little32(at: offset).map { Int(Int32(truncatingIfNeeded: $0)) }
    }

    func big16(at offset: Int) -> Int? {
        guard has(2, at: offset) else { return nil }
        return Int(self[offset]) << 8 | Int(self[offset + 1])
    }

    func big32(at offset: Int) -> Int? {
        guard has(4, at: offset) else { return nil }
        return Int(self[offset]) << 24 | Int(self[offset + 1]) << 16 | Int(self[offset + 2]) << 8
            | Int(self[offset + 3])
    }

    /// Whether `length` bytes stand at `offset`.
    @inline(__always)
    func has(_ length: Int, at offset: Int) -> Bool {
        offset >= 0 && offset <= bytes.count && length >= 0 && bytes.count - offset >= length
    }

    /// The `length` bytes at `offset`; nil if they are not all there.
    func part(at offset: Int, count length: Int) -> ByteReader? {
        guard has(length, at: offset) else { return nil }
        return ByteReader(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length]))
    }

    /// All that follows `offset`; empty if nothing does.
    func rest(from offset: Int) -> ByteReader {
        let start = min(max(0, offset), bytes.count)
        return ByteReader(UnsafeRawBufferPointer(rebasing: bytes[start...]))
    }

    /// Whether `pattern` stands at `offset`.
    func begins(_ pattern: [UInt8], at offset: Int = 0) -> Bool {
        bytes.begins(pattern, at: offset)
    }

    /// Whether the bytes of `pattern` stand at `offset`.
    func begins(_ pattern: String, at offset: Int = 0) -> Bool {
        bytes.begins(pattern, at: offset)
    }

    /// Whether `pattern`, which is not empty, stands somewhere.
    func contains(_ pattern: [UInt8]) -> Bool {
        for offset in 0..<max(0, count - pattern.count + 1) where self[offset] == pattern[0] {
            if begins(pattern, at: offset) { return true }
        }
        return false
    }

    /// Gives `body` the bytes, for another library.
    func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        body(bytes)
    }

    /// A copy of the bytes.
    var copy: Data { Data(bytes) }

    /// The same bytes in place, for a decoder of another library, only as long as they are borrowed;
    /// nil if there are none.
    var borrowedData: Data? {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return nil }
        return Data(
            bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count,
            deallocator: .none)
    }
}

extension Data {
    /// Gives `body` the bytes in place.
    func withReader<R>(
        _ body: (ByteReader) throws(ImagingError) -> R
    ) throws(ImagingError) -> R {
        let result = withUnsafeBytes { bytes -> Result<R, ImagingError> in
            do throws(ImagingError) { return .success(try body(ByteReader(bytes))) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
