import CognitoUserPool

/// Files of users and filters of lists: portions of a file give what the whole gives, and records and filters that
/// are written are read again. The first byte is the size of portions.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard let size = input.first.map({ max(1, Int($0)) }) else { return 0 }
  let bytes = Array(input.dropFirst())
  let (records, error) = read(bytes, by: max(1, bytes.count))
  let portions = read(bytes, by: size)
  precondition(portions.records == records && portions.error == error)
  precondition(records.allSatisfy { !$0.fields.isEmpty })
  precondition(zip(records, records.dropFirst()).allSatisfy { $0.line < $1.line })
  // Quotation marks double the length of a record at most.
  if records.allSatisfy({ $0.fields.reduce(0) { $0 + 2 * $1.count + 3 } < CSVReader.recordLimit }) {
    let again = read(written(records), by: 4_096)
    precondition(again.error == nil && again.records.map(\.fields) == records.map(\.fields))
  }
  check(filter: String(decoding: bytes, as: UTF8.self))
  return 0
}

private func read(_ bytes: [UInt8], by size: Int) -> (records: [CSVReader.Record], error: UserPoolError?) {
  var reader = CSVReader()
  var records: [CSVReader.Record] = []
  do throws(UserPoolError) {
    for start in stride(from: 0, to: bytes.count, by: size) {
      try reader.add(Array(bytes[start..<min(bytes.count, start + size)]).span, to: &records)
    }
    try reader.finish(to: &records)
    return (records, nil)
  } catch {
    return (records, error)
  }
}

private func written(_ records: [CSVReader.Record]) -> [UInt8] {
  var text: [UInt8] = []
  for record in records {
    for (place, field) in record.fields.enumerated() {
      text += place > 0 ? [0x2C, 0x22] : [0x22]
      for byte in field { text += byte == 0x22 ? [byte, byte] : [byte] }
      text.append(0x22)
    }
    text += [0x0D, 0x0A]
  }
  return text
}

private func check(filter text: String) {
  guard let filter = try? UserFilter(text) else { return }
  let name =
    switch filter.field {
    case .userName: "username"
    case .sub: "sub"
    case .enabled: "status"
    case .status: "cognito:user_status"
    case .attribute(let name): name.text
    }
  let value = filter.value.utf8.flatMap { $0 == 0x22 || $0 == 0x5C ? [0x5C, $0] : [$0] }
  let again = "\(name)\(filter.isPrefix ? "^=" : "=")\"\(String(decoding: value, as: UTF8.self))\""
  precondition((try? UserFilter(again)) == filter)
}
