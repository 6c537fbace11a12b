internal import TokenSecurityEncodings

/// The trailers behind the last chunk of a body: those that `X-Amz-Trailer` declares, each once, and the signature over
/// them.
struct ChunkTrailers: Sendable {
  private let mode: PayloadMode
  private let declared: [String]
  /// The checksum that follows, if any of those that are known.
  let checksum: ChecksumAlgorithm?
  /// The trailers that came, by their names in lower case.
  private(set) var values: [ExactString: String] = [:]
  /// The lines that the signature covers, each with a line feed.
  private var lines: [UInt8] = []
  private var signature: [UInt8]?

  static let most = 16

  /// - Throws: `trailerDeclaration` where the names do not fit `mode`, are too many or not different, or where chunks
  ///   without signatures announce no checksum.
  init(declaredBy header: String, mode: PayloadMode) throws(SigV4Error) {
    let bytes = Array(header.lowercasedASCII.utf8)
    let names = bytes.split(separator: UInt8(ascii: ","), maxSplits: Self.most).map { part in
      String(decoding: part.trimmingBlanks, as: UTF8.self)
    }
    // A token is ASCII: no two names can differ in their bytes and be the same text.
    let areNames = names.allSatisfy { HeaderField.isToken($0.utf8.span) }
    guard names.count <= Self.most, areNames, Set(names.map { ExactString($0) }).count == names.count,
      mode.hasTrailer == !names.isEmpty
    else { throw .trailerDeclaration }
    checksum = names.lazy.compactMap { ChecksumAlgorithm(headerName: $0) }.first
    // Without signatures the checksum is all there is.
    guard checksum != nil || mode.algorithm != nil else { throw .trailerDeclaration }
    declared = names
    self.mode = mode
  }

  /// The value of a trailer that came.
  subscript(name: String) -> String? { values[ExactString(name)] }

  /// Takes one line.
  mutating func take(_ line: [UInt8]) throws(SigV4Error) {
    guard mode.hasTrailer else { throw .trailerUndeclared("") }
    guard let mark = line.firstIndex(of: UInt8(ascii: ":")) else { throw .trailerMalformed }
    let name = String(decoding: line[..<mark], as: UTF8.self).lowercasedASCII
    let value = Array(line[(mark + 1)...].trimmingBlanks)
    if name == "x-amz-trailer-signature", let algorithm = mode.algorithm {
      guard signature == nil else { throw .trailerMalformed }
      signature = try ChunkReader.signature(value[...], algorithm)
      return
    }
    guard declared.contains(name) else { throw .trailerUndeclared(name) }
    // The signature does not cover what follows it.
    guard signature == nil, self[name] == nil else { throw .trailerMalformed }
    for byte in value where byte < 0x20 || byte > 0x7E { throw .headerValue(name: name, byte: byte) }
    values[ExactString(name)] = String(decoding: value, as: UTF8.self)
    lines.append(name)
    lines.append(UInt8(ascii: ":"))
    lines.append(copying: value.span)
    lines.append(UInt8(ascii: "\n"))
  }

  /// Checks that all declared trailers came, and the signature over them where chunks are signed.
  func check(
    key: CheckingKey, date: Timestamp, scope: CredentialScope, previous: String
  ) throws(SigV4Error) {
    for name in declared.sorted() where self[name] == nil { throw .trailerMissing(name) }
    guard mode.hasTrailer, mode.algorithm != nil else { return }
    guard let signature else { throw .trailerMissing("x-amz-trailer-signature") }
    let text = StringToSign.trailer(
      key.algorithm, date: date, scope: scope, previous: previous,
      trailerHash: try SigV4Error.hash(lines.span))
    guard try key.check(signature, over: text.span) else { throw .trailerSignatureMismatch }
  }
}
