internal import TokenSecurityEncodings

/// The canonical form of a request, equal for signer and verifier: method, path, query, headers, the names of
/// the signed headers, and the hash of the body.
public struct CanonicalRequest: Sendable, Hashable {
  /// The lines, separated by line feeds, without one at the end.
  public let bytes: [UInt8]
  /// The range of the names of the signed headers in ``bytes``.
  let signedHeadersRange: Range<Int>

  /// Which headers are signed.
  enum Selection {
    /// All headers that may be signed, without a session token that is added after signing.
    case usual(SessionTokenPlacement)
    /// The headers of these names.
    case named(SignedHeaderNames)
  }

  init(
    _ head: RequestHead, _ table: HeaderTable, _ selection: Selection, query: consuming CanonicalQuery,
    payload: PayloadLine, form: CanonicalForm
  ) {
    var output: [UInt8] = []
    output.reserveCapacity(640 + head.path.count + head.query.count * 2)
    output.append(head.method)
    output.append(UInt8(ascii: "\n"))
    CanonicalPath.append(head.path.span, form: form, to: &output)
    output.append(UInt8(ascii: "\n"))
    query.append(to: &output)
    output.append(UInt8(ascii: "\n"))
    let names = table.names
    let entries = table.entries
    let headers = head.headers
    Self.eachSigned(table, selection) { range in
      output.append(copying: names.span.extracting(entries[range.lowerBound].name))
      for index in range {
        output.append(index == range.lowerBound ? UInt8(ascii: ":") : UInt8(ascii: ","))
        Self.append(value: headers[entries[index].field].value, to: &output)
      }
      output.append(UInt8(ascii: "\n"))
    }
    output.append(UInt8(ascii: "\n"))
    let start = output.count
    switch selection {
    case .named(let signed): output.append(copying: signed.bytes.span)
    case .usual: Self.appendNames(table, selection, to: &output)
    }
    signedHeadersRange = start..<output.count
    output.append(UInt8(ascii: "\n"))
    payload.append(to: &output)
    bytes = output
  }

  /// The names of the signed headers, which presigning puts into the query before the request is
  /// canonicalised.
  static func signedHeaders(_ table: HeaderTable) -> [UInt8] {
    var signed: [UInt8] = []
    appendNames(table, .usual(.signed), to: &signed)
    return signed
  }

  private static func appendNames(_ table: HeaderTable, _ selection: Selection, to output: inout [UInt8]) {
    let start = output.count
    let names = table.names
    eachSigned(table, selection) { range in
      if output.count > start { output.append(UInt8(ascii: ";")) }
      output.append(copying: names.span.extracting(table.entries[range.lowerBound].name))
    }
  }

  /// Calls `body` with the entries of each signed name.
  @inline(__always)
  private static func eachSigned(_ table: HeaderTable, _ selection: Selection, _ body: (Range<Int>) -> Void) {
    let entries = table.entries
    let count = entries.count
    var named = 0
    var start = 0
    while start < count {
      let entry = entries[start]
      var end = start + 1
      while end < count, table.haveOneName(entry, entries[end]) { end += 1 }
      let isSigned =
        switch selection {
        case .usual(let placement):
          !table.mustNotBeSigned(entry)
            && (placement == .signed || !table.hasName(entry, "x-amz-security-token"))
        case .named(let names):
          // Both are sorted: one walk finds all names.
          names.contains(table, entry, from: &named)
        }
      if isSigned { body(start..<end) }
      start = end
    }
  }

  // Removes white space at the ends, and replaces runs of it by one space, between quotes, too.
  private static func append(value bytes: [UInt8], to output: inout [UInt8]) {
    let value = bytes.span
    var start = 0
    var index = 0
    var needsSpace = false
    while index < value.count {
      let byte = value[index]
      guard byte == 0x20 || byte == 0x09 else {
        index += 1
        continue
      }
      // A single space between words is copied with the words.
      if byte == 0x20, index > start, index + 1 < value.count, value[index + 1] != 0x20,
        value[index + 1] != 0x09
      {
        index += 1
        continue
      }
      if index > start {
        if needsSpace { output.append(0x20) }
        output.append(copying: value.extracting(start..<index))
        needsSpace = true
      }
      index += 1
      start = index
    }
    if index > start {
      if needsSpace { output.append(0x20) }
      output.append(copying: value.extracting(start..<index))
    }
  }

  /// The names of the signed headers, `host;x-amz-date`.
  public var signedHeaders: String { String(decoding: bytes[signedHeadersRange], as: UTF8.self) }

  func digest() throws(SigV4Error) -> InlineArray<32, UInt8> { try SigV4Error.digest(bytes.span) }

  /// The SHA-256 of ``bytes``: the last line of the string to sign.
  public func hash() throws(SigV4Error) -> [UInt8] { try SigV4Error.hash(bytes.span) }
}

extension CanonicalRequest: CustomStringConvertible {
  /// The lines as text.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}
