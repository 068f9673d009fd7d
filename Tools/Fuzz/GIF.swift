import VitrineImaging

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzGIF(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    fuzzFrames(.gif, start, count)
}
