import VitrineImaging

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzBMP(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    fuzz(BMPDecoder(), .bmp, start, count)
}
