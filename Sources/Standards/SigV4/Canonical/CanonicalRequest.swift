internal import TokenSecurityBase

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
    /// The headers of these names, which are marked in the table.
    case named(SignedHeaderNames)
  }

  /// - Parameters:
  ///   - head: the request, for its method and path.
  ///   - headers: its headers, and those that signing adds.
  ///   - table: the same headers, sorted.
  ///   - selection: which headers are signed.
  ///   - query: the parameters.
  ///   - payload: the last line.
  ///   - form: the form of the path.
  init(
    _ head: RequestHead, headers: [HeaderField], _ table: HeaderTable, _ selection: Selection,
    query: consuming CanonicalQuery, payload: PayloadLine, form: CanonicalForm
  ) {
    let path = CanonicalPath.make(head.path, form: form)
    let query = query.line()
    let fields = headers.span
    let entries = table.entries.span
    let names = table.names.span
    // At most: the canonical form of a value is not longer, and each header adds a colon or comma, a line
    // feed and a semicolon.
    var size = head.method.utf8.count + path.count + query.count + 2 * names.count + payload.size + 8
    for index in fields.indices { size += fields[index].value.count + 3 }
    if case .named(let signed) = selection { size += signed.range.count }
    var bytes: [UInt8] = []
    var range = 0..<0
    bytes.append(addingCapacity: size) { output in
      output.append(head.method)
      output.append(UInt8(ascii: "\n"))
      output.append(copying: path.span)
      output.append(UInt8(ascii: "\n"))
      output.append(copying: query.span)
      output.append(UInt8(ascii: "\n"))
      var signed = SignedEntries()
      while let group = signed.next(table, selection) {
        output.append(copying: names.extracting(entries[group.lowerBound].name))
        for index in group {
          output.append(index == group.lowerBound ? UInt8(ascii: ":") : UInt8(ascii: ","))
          Self.append(value: fields[entries[index].field].value.span, to: &output)
        }
        output.append(UInt8(ascii: "\n"))
      }
      output.append(UInt8(ascii: "\n"))
      let start = output.count
      switch selection {
      case .named(let signed): output.append(copying: signed.bytes.span.extracting(signed.range))
      case .usual: Self.appendNames(table, selection, to: &output)
      }
      range = start..<output.count
      output.append(UInt8(ascii: "\n"))
      payload.append(to: &output)
    }
    self.bytes = bytes
    signedHeadersRange = range
  }

  /// The names of the signed headers, which presigning puts into the query before the request is
  /// canonicalised.
  static func signedHeaders(_ table: HeaderTable) -> [UInt8] {
    var signed: [UInt8] = []
    signed.append(addingCapacity: table.names.count + table.entries.count) { output in
      appendNames(table, .usual(.signed), to: &output)
    }
    return signed
  }

  private static func appendNames(
    _ table: HeaderTable, _ selection: Selection, to output: inout OutputSpan<UInt8>
  ) {
    let start = output.count
    let names = table.names.span
    let entries = table.entries.span
    var signed = SignedEntries()
    while let group = signed.next(table, selection) {
      if output.count > start { output.append(UInt8(ascii: ";")) }
      output.append(copying: names.extracting(entries[group.lowerBound].name))
    }
  }

  /// A walk over the signed names of a table.
  private struct SignedEntries {
    private var start = 0

    /// The entries of the next signed name.
    @inline(__always)
    mutating func next(_ table: HeaderTable, _ selection: Selection) -> Range<Int>? {
      let entries = table.entries.span
      while start < entries.count {
        let range = start..<table.endOfName(at: start)
        let entry = entries[start]
        start = range.upperBound
        switch selection {
        case .usual(let placement):
          if table.mustNotBeSigned(entry) { continue }
          if placement == .addedAfterSigning, table.hasName(entry, "x-amz-security-token") { continue }
        case .named:
          guard entry.isSigned else { continue }
        }
        return range
      }
      return nil
    }
  }

  // Removes white space at the ends, and replaces runs of it by one space, between quotes, too.
  private static func append(value: borrowing Span<UInt8>, to output: inout OutputSpan<UInt8>) {
    var start = 0
    var index = 0
    var needsSpace = false
    while index < value.count {
      let byte = value[index]
      guard byte == 0x20 || byte == 0x09 else {
        index = ByteSearch.firstBlank(in: value, from: index + 1) ?? value.count
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
