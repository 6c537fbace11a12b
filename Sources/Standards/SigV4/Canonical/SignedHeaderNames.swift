internal import TokenSecurityBase

/// The names of the signed headers: in lower case, sorted, each once.
struct SignedHeaderNames: Sendable {
  /// The parameter or the header that has the names.
  let bytes: [UInt8]
  /// The range in ``bytes`` of the names, separated by semicolons, as they were sent.
  let range: Range<Int>
  /// The range in ``bytes`` of the first name that no header of the request has; nil when there is none.
  let absent: Range<Int>?

  static let most = 256

  /// Reads the names, and marks their headers in the table as signed.
  ///
  /// - Throws: `signedHeadersMalformed`; `headerUnsigned` when `host` is missing.
  init(
    _ bytes: [UInt8], in range: Range<Int>? = nil, marking table: inout HeaderTable
  ) throws(SigV4Error) {
    let range = range ?? bytes.indices
    let span = bytes.span.extracting(..<range.upperBound)
    var absent: Range<Int>?
    var hasHost = false
    var count = 0
    var previous = range.lowerBound..<range.lowerBound
    var start = range.lowerBound
    var next = 0
    while start <= span.count {
      let (name, isFound) = table.markSigned(span, from: start, at: &next)
      // The table's names are in lower case and sorted, and each is found once.
      if !isFound {
        let isPlain = !name.isEmpty && HeaderField.isToken(span.extracting(name), capitals: false)
        guard isPlain, count == 0 || ByteOrder.compare(span, previous, span, name) < 0 else {
          throw .signedHeadersMalformed(String(decoding: bytes[range], as: UTF8.self))
        }
        absent = absent ?? name
      }
      guard count < Self.most else {
        throw .signedHeadersMalformed(String(decoding: bytes[range], as: UTF8.self))
      }
      count += 1
      hasHost = hasHost || ByteOrder.isEqual(span.extracting(name), "host")
      previous = name
      start = name.upperBound + 1
    }
    guard hasHost else { throw .headerUnsigned("host") }
    self.bytes = bytes
    self.range = range
    self.absent = absent
  }

  /// The names as strings.
  var texts: [String] {
    bytes[range].split(separator: UInt8(ascii: ";")).map { String(decoding: $0, as: UTF8.self) }
  }
}
