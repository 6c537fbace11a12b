internal import TokenSecurityBase
internal import TokenSecurityCrypto

extension EventMessage {
  /// Reads and removes the first message of a buffer.
  ///
  /// - Parameter bytes: the buffer. A message is removed from its beginning.
  /// - Returns: the message; nil when the buffer does not contain a whole message yet.
  /// - Throws: `eventMalformed`, `eventChecksum`.
  public static func next(in bytes: inout ArraySlice<UInt8>) throws(SigV4Error) -> EventMessage? {
    // The caller's own buffer is changed, so that one of many messages is not copied for each of them.
    guard let (message, length) = try read(bytes.span) else { return nil }
    bytes = bytes.dropFirst(length)
    return message
  }

  static func read(_ bytes: borrowing Span<UInt8>) throws(SigV4Error) -> (EventMessage, Int)? {
    guard bytes.count >= 12 else { return nil }
    let total = number(bytes, 0)
    let headerSize = number(bytes, 4)
    // The lengths have their own checksum, so that a reader does not wait for a wrong length.
    guard CyclicRedundancyCheck.of(bytes.extracting(0..<8), .crc32) == UInt64(number(bytes, 8)) else {
      throw .eventChecksum("prelude")
    }
    guard total >= 16, total <= largestMessage, headerSize <= largestHeaders, headerSize <= total - 16 else {
      throw .eventMalformed("lengths of \(total) and \(headerSize) bytes")
    }
    guard bytes.count >= total else { return nil }
    guard
      CyclicRedundancyCheck.of(bytes.extracting(0..<total - 4), .crc32) == UInt64(number(bytes, total - 4))
    else {
      throw .eventChecksum("message")
    }
    let headers = try readHeaders(bytes.extracting(12..<12 + headerSize))
    return (
      EventMessage(
        headers: headers, payload: [UInt8](unwipedCopy: bytes.extracting(12 + headerSize..<total - 4))), total
    )
  }

  private static func number(_ bytes: borrowing Span<UInt8>, _ at: Int, _ size: Int = 4) -> Int {
    var value = 0
    for index in 0..<size { value = value << 8 | Int(bytes[at + index]) }
    return value
  }

  private static func readHeaders(_ bytes: borrowing Span<UInt8>) throws(SigV4Error) -> [Header] {
    var headers: [Header] = []
    var names: Set<ExactString> = []
    var position = 0
    func take(_ count: Int, _ bytes: borrowing Span<UInt8>) throws(SigV4Error) -> Int {
      guard bytes.count - position >= count else { throw .eventMalformed("a header that ends early") }
      defer { position += count }
      return position
    }
    while position < bytes.count {
      let size = Int(bytes[try take(1, bytes)])
      guard size > 0 else { throw .eventMalformed("a header without a name") }
      let start = try take(size, bytes)
      let nameBytes = [UInt8](unwipedCopy: bytes.extracting(start..<start + size))
      guard let name = String(validating: nameBytes, as: UTF8.self) else {
        throw .eventMalformed("a header's name that is not UTF-8")
      }
      guard names.insert(ExactString(name)).inserted else {
        throw .eventMalformed("a header given twice")
      }
      let type = bytes[try take(1, bytes)]
      let value: Value
      switch type {
      case 0: value = .bool(true)
      case 1: value = .bool(false)
      case 2: value = .byte(Int8(bitPattern: bytes[try take(1, bytes)]))
      case 3: value = .int16(Int16(truncatingIfNeeded: number(bytes, try take(2, bytes), 2)))
      case 4: value = .int32(Int32(truncatingIfNeeded: number(bytes, try take(4, bytes), 4)))
      case 5: value = .int64(Int64(truncatingIfNeeded: number(bytes, try take(8, bytes), 8)))
      case 6, 7:
        let count = number(bytes, try take(2, bytes), 2)
        guard count <= largestValue else { throw .eventMalformed("a value of \(count) bytes") }
        let first = try take(count, bytes)
        let content = [UInt8](unwipedCopy: bytes.extracting(first..<first + count))
        if type == 6 {
          value = .bytes(content)
        } else {
          guard let text = String(validating: content, as: UTF8.self) else {
            throw .eventMalformed("text that is not UTF-8")
          }
          value = .string(text)
        }
      case 8: value = .timestamp(Int64(truncatingIfNeeded: number(bytes, try take(8, bytes), 8)))
      case 9:
        let first = try take(16, bytes)
        value = .uuid([UInt8](unwipedCopy: bytes.extracting(first..<first + 16)))
      default: throw .eventMalformed("a value of type \(type)")
      }
      headers.append(Header(name, value))
    }
    return headers
  }
}
