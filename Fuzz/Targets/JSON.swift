import JOSE

/// A value that the strict reader accepts is the same when it is written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  do {
    let value = try JSONValue(parsing: bytes)
    let written = value.description
    guard let again = try? JSONValue(parsing: written) else { preconditionFailure(written) }
    precondition(again == value)
    precondition(again.description == written)
    if let number = value.number { _ = NumericDate(number) }
  } catch {
    precondition(!error.description.isEmpty && error.description.utf8.count < 4_096)
  }
  return 0
}
