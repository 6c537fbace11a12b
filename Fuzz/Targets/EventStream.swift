import SigV4

/// Messages of event streams: they are refused, or encode to the same bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var rest = Array(UnsafeBufferPointer(start: start, count: count))[...]
  do throws(SigV4Error) {
    while let message = try EventMessage.next(in: &rest) {
      var again = try message.encoded()[...]
      guard try EventMessage.next(in: &again) == message, again.isEmpty else { fatalError("another message") }
    }
  } catch {
    precondition(error.code == .eventMalformed || error.code == .eventChecksum)
  }
  return 0
}
