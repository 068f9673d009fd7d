import VitrineImaging

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzICO(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    fuzz(ICODecoder(), .ico, start, count)
}
