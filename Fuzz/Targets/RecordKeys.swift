import Records

/// Keys of records: what decodes is what encodes to the same bytes, and bytes are ordered as elements are. The
/// first byte is the length of the first of two keys. The text of recorded changes is read, too.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = [UInt8](UnsafeBufferPointer(start: start, count: count))
  _ = RecordedChanges(String(decoding: bytes, as: UTF8.self))
  guard let length = bytes.first.map({ Int($0) }), length < count else { return 0 }
  let rest = bytes.dropFirst()
  guard let a = key(Array(rest.prefix(length))), let b = key(Array(rest.dropFirst(length))) else { return 0 }
  guard let left = a.parts, let right = b.parts else { preconditionFailure("a key without elements") }
  precondition((a == b) == (left == right))
  precondition(a.starts(with: b) == left.starts(with: right))
  if let place = zip(left, right).enumerated().first(where: { $1.0 != $1.1 })?.offset {
    precondition((a < b) == (RecordKey(left[place]) < RecordKey(right[place])))
  } else {
    precondition((a < b) == (left.count < right.count))
  }
  return 0
}

private func key(_ bytes: [UInt8]) -> RecordKey? {
  guard let key = RecordKey(encoded: bytes) else { return nil }
  precondition(key.parts?.reduce(RecordKey()) { $0.appending($1) }.encoded == bytes)
  let range = KeyRange.prefix(key)
  precondition(!range.isEmpty && KeyRange.all.after(key).before(key).isEmpty)
  return key
}
