internal import TokenSecurityEncodings

/// The names of the signed headers: in lower case, sorted, each once.
struct SignedHeaderNames: Sendable {
  /// The parameter or the header that has the names.
  let bytes: [UInt8]
  /// The range in ``bytes`` of the names, separated by semicolons, as they were sent.
  let range: Range<Int>
  /// The range of each name in ``bytes``.
  let ranges: [Range<Int>]

  static let most = 256

  /// - Throws: `signedHeadersMalformed`; `headerUnsigned` when `host` is missing.
  init(_ bytes: [UInt8], in range: Range<Int>? = nil) throws(SigV4Error) {
    let range = range ?? bytes.indices
    let span = bytes.span.extracting(..<range.upperBound)
    var ranges: [Range<Int>] = []
    ranges.reserveCapacity(8)
    var hasHost = false
    var start = range.lowerBound
    while start <= span.count {
      let end = ByteSearch.firstIndex(of: UInt8(ascii: ";"), in: span, from: start) ?? span.count
      let name = span.extracting(start..<end)
      var isPlain = !name.isEmpty && HeaderField.isToken(name, capitals: false)
      if let last = ranges.last, ByteOrder.compare(span, last, span, start..<end) >= 0 { isPlain = false }
      guard isPlain, ranges.count < Self.most else {
        throw .signedHeadersMalformed(String(decoding: bytes[range], as: UTF8.self))
      }
      hasHost = hasHost || ByteOrder.isEqual(name, "host")
      ranges.append(start..<end)
      start = end + 1
    }
    guard hasHost else { throw .headerUnsigned("host") }
    self.bytes = bytes
    self.range = range
    self.ranges = ranges
  }

  /// Whether the entry's name is in the list. Callers pass entries in their order, and `next` is the position
  /// in the list.
  @inline(__always)
  func contains(_ table: HeaderTable, _ entry: HeaderTable.Entry, from next: inout Int) -> Bool {
    while next < ranges.count {
      let order = ByteOrder.compare(bytes.span, ranges[next], table.names.span, entry.name)
      guard order < 0 else { return order == 0 }
      next += 1
    }
    return false
  }

  /// The names as strings.
  var texts: [String] { ranges.map { String(decoding: bytes[$0], as: UTF8.self) } }
}
