internal import TokenSecurityBase

/// The rules for requests, the same for signing and verifying.
extension RequestHead {
  /// Checks method, target and headers.
  ///
  /// - Returns: the number of headers `Host`.
  @discardableResult
  func check(_ limits: RequestLimits) throws(SigV4Error) -> Int {
    try checkMethod()
    try checkTarget(path.span, .path, limit: limits.path)
    guard path.first == UInt8(ascii: "/") else { throw .pathNotAbsolute }
    try checkTarget(query.span, .query, limit: limits.query)
    guard headers.count <= limits.headerCount else {
      throw .tooManyHeaders(count: headers.count, limit: limits.headerCount)
    }
    var hosts = 0
    var size = 0
    // Spans: a loop over the array would retain each name and value.
    let fields = headers.span
    for index in fields.indices {
      let name = fields[index].name.utf8.span
      size += name.count + fields[index].value.count
      guard size <= limits.headerBytes else { throw .headersTooLarge(limit: limits.headerBytes) }
      guard !name.isEmpty, HeaderField.isToken(name) else { throw .headerName(fields[index].name) }
      if name.count == 4, fields[index].hasName("Host") { hosts += 1 }
      if ByteSearch.hasControl(fields[index].value.span) { try fields[index].rejectControls() }
    }
    return hosts
  }

  // A token (RFC 9110 section 9.1).
  private func checkMethod() throws(SigV4Error) {
    let span = method.utf8.span
    guard (1...32).contains(span.count), HeaderField.isToken(span) else { throw .methodInvalid(method) }
  }

  // Accepts spaces and non-ASCII bytes, which clients do send and which are encoded in the canonical form.
  // Rejects control characters and the fragment.
  private func checkTarget(
    _ bytes: borrowing Span<UInt8>, _ part: SigV4Error.TargetPart, limit: Int
  ) throws(SigV4Error) {
    guard bytes.count <= limit else { throw .targetTooLong(part, size: bytes.count, limit: limit) }
    for index in bytes.indices {
      let byte = bytes[index]
      guard byte >= 0x20, byte != 0x7F, byte != UInt8(ascii: "#") else {
        throw .targetCharacter(part, byte, at: index)
      }
      if byte == UInt8(ascii: "%"), PercentEncoding.byte(bytes, at: index) == nil {
        throw .percentEncoding(part, at: index)
      }
    }
  }
}

extension HeaderField {
  /// RFC 9110 section 5.5: control characters are rejected, not replaced. A tab is none of them.
  fileprivate func rejectControls() throws(SigV4Error) {
    for byte in value where byte < 0x20 && byte != 0x09 || byte == 0x7F {
      throw .headerValue(name: name, byte: byte)
    }
  }

  /// RFC 9110 section 5.6.2.
  static func isToken(_ bytes: borrowing Span<UInt8>, capitals: Bool = true) -> Bool {
    if ASCIIWords.areNameCharacters(bytes, capitals: capitals) { return true }
    // One bit for each ASCII character: letters, digits and !#$%&'*+-.^_`|~
    let low: UInt64 = 0x03FF_6CFA_0000_0000
    let high: UInt64 = capitals ? 0x57FF_FFFF_C7FF_FFFE : 0x57FF_FFFF_C000_0000
    for index in bytes.indices where !ByteOrder.has(bytes[index], (low, high)) { return false }
    return true
  }
}
