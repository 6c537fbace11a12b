import Records

/// A row as a JSON object: what is read is what is read again after it was written.
private struct Row: Hashable {
  var id: String
  var tags: [String]
  var expires: Int64?
}

private let encoding = RowEncoding<Row>.json(
  version: 2, oldest: 1,
  write: { row, version in
    var object: JSONObject = ["id": .string(row.id)]
    if version >= 2 { object["tags"] = .array(row.tags.map { .string($0) }) }
    object["expires"] = row.expires.map { .number(.init($0)) }
    return object
  },
  read: { object, version in
    guard let id = object["id"]?.string else { return nil }
    let tags = version < 2 ? [] : object["tags"]?.strings
    guard let tags else { return nil }
    return Row(id: id, tags: tags, expires: object["expires"]?.int64)
  })

/// Runs one input. The first byte selects the version.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  let bytes = [UInt8](UnsafeBufferPointer(start: start + 1, count: count - 1))
  let version = Int(start[0] % 3)
  guard let row = encoding.decode(bytes, version) else { return 0 }
  guard let written = encoding.encode(row, 2), let again = encoding.decode(written, 2) else {
    preconditionFailure("a row that cannot be written")
  }
  precondition(again == row && encoding.encode(again, 2) == written)
  return 0
}
