import VitrineImaging

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzXBM(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    fuzz(XBMDecoder(), .xbm, start, count)
}
