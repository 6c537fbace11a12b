internal import TokenSecurityBase

/// The three decoded parts of a compact JWS (RFC 7515 section 7.1).
struct CompactParts {
  let header: [UInt8]
  let payload: [UInt8]
  let signature: [UInt8]
  /// The number of bytes of the text that are signed: header, dot, payload.
  let signingInputSize: Int

  /// Decodes the parts of `text`. With `acceptsPadding` each part may have the padding of RFC 4648 section
  /// 3.2.
  init(
    _ text: borrowing Span<UInt8>, limits: TokenLimits, acceptsPadding: Bool = false
  ) throws(JOSEError) {
    (header, payload, signature, signingInputSize) = try Self.decode(
      text, limits: limits, acceptsPadding: acceptsPadding)
  }

  /// The parts as separate arrays, so that a caller can consume each without a copy. A header of
  /// `knownHeader` bytes is not decoded: its bytes are empty.
  @inline(__always)
  static func decode(
    _ text: borrowing Span<UInt8>, limits: TokenLimits, acceptsPadding: Bool, knownHeader: Int? = nil
  ) throws(JOSEError) -> (header: [UInt8], payload: [UInt8], signature: [UInt8], signingInputSize: Int) {
    let dots = try Self.dots(text, limits: limits, first: knownHeader)
    guard !acceptsPadding else {
      return (
        knownHeader != nil ? [] : try Self.decodePadded(text, .header, 0, dots.first),
        try Self.decodePadded(text, .payload, dots.first + 1, dots.second),
        try Self.decodePadded(text, .signature, dots.second + 1, text.count), dots.second
      )
    }
    do throws(JOSEError) {
      return (
        knownHeader != nil ? [] : try Self.decode(text, .header, 0, dots.first),
        try Self.decode(text, .payload, dots.first + 1, dots.second),
        try Self.decode(text, .signature, dots.second + 1, text.count), dots.second
      )
    } catch {
      guard !ByteOrderMark.begins(text) else { throw .byteOrderMark }
      // A third dot is outside the alphabet; the number of parts is the better error.
      try Self.refuseThirdDot(text)
      throw error
    }
  }

  static func decodePadded(
    _ text: borrowing Span<UInt8>, _ part: TokenPart, _ start: Int, _ end: Int
  ) throws(JOSEError) -> [UInt8] {
    var last = end
    if (end - start) % 4 == 0 {
      while last > start, end - last < 2, text[last - 1] == UInt8(ascii: "=") { last -= 1 }
    }
    return try decode(text, part, start, last)
  }

  /// Finds the first and last dot and checks the sizes. A third dot is reported when the payload fails to
  /// decode. The first one is not searched for if the caller knows it.
  static func dots(
    _ text: borrowing Span<UInt8>, limits: TokenLimits, first: Int? = nil
  ) throws(JOSEError) -> (first: Int, second: Int) {
    guard text.count > 0 else { throw .tokenEmpty }
    guard text.count <= limits.token else {
      throw .tokenTooLarge(size: text.count, limit: limits.token)
    }
    let dot = UInt8(ascii: ".")
    guard let first = first ?? ByteSearch.firstIndex(of: dot, in: text, from: 0),
      let second = ByteSearch.lastIndex(of: dot, in: text)
    else { throw .notCompact(parts: 1) }
    guard first < second else { throw .notCompact(parts: 2) }
    try check(.header, first, limits.header)
    try check(.payload, second - first - 1, limits.payload)
    try check(.signature, text.count - second - 1, limits.signature)
    return (first, second)
  }

  static func refuseThirdDot(_ text: borrowing Span<UInt8>) throws(JOSEError) {
    var parts = 1
    for index in text.indices where text[index] == UInt8(ascii: ".") { parts += 1 }
    guard parts == 3 else { throw .notCompact(parts: parts) }
  }

  private static func check(_ part: TokenPart, _ size: Int, _ limit: Int) throws(JOSEError) {
    guard size <= limit else { throw .partTooLarge(part, size: size, limit: limit) }
  }

  static func decode(
    _ text: borrowing Span<UInt8>, _ part: TokenPart, _ start: Int, _ end: Int
  ) throws(JOSEError) -> [UInt8] {
    do {
      return try Base64URL.decode(text, from: start, to: end)
    } catch {
      throw JOSEError(error, in: part)
    }
  }
}

extension JOSEError {
  init(_ error: BaseEncodingError, in part: TokenPart) {
    self =
      switch error {
      case .character(let offset): .alphabet(part, offset: offset)
      case .whiteSpace(let offset): .whiteSpace(part, offset: offset)
      case .padding: .padding(part)
      case .length(let count): .encodedLength(part, count)
      case .trailingBits: .trailingBits(part)
      }
  }
}
