internal import TokenSecurityBase

/// The trailers after the last chunk of a body: those that `X-Amz-Trailer` declares, each once, and their
/// signature.
struct ChunkTrailers: Sendable {
  private let mode: PayloadMode
  private let declared: [String]
  /// The algorithm of the checksum trailer, or nil.
  let checksum: ChecksumAlgorithm?
  /// The received trailers by their lower-case names.
  private(set) var values: [ExactString: String] = [:]
  /// The signed lines, each with a line feed.
  private(set) var lines: [UInt8] = []
  private var signature: [UInt8]?

  static let most = 16

  /// - Throws: `trailerDeclaration` for names that do not match `mode`, too many or repeated names, several
  ///   checksums, and for unsigned chunks without a checksum.
  init(declaredBy header: [UInt8], mode: PayloadMode) throws(SigV4Error) {
    let bytes = header.map(\.lowercasedASCII)
    // Empty elements of a list are ignored (RFC 9110 section 5.6.1).
    let names = bytes.split(separator: UInt8(ascii: ","), maxSplits: 4 * Self.most)
      .map { String(decoding: $0.trimmingBlanks, as: UTF8.self) }.filter { !$0.isEmpty }
    // Tokens are ASCII, so that equal texts have equal bytes.
    let areNames = names.allSatisfy { HeaderField.isToken($0.utf8.span) }
    guard names.count <= Self.most, areNames, Set(names.map { ExactString($0) }).count == names.count,
      mode.hasTrailer == !names.isEmpty
    else { throw .trailerDeclaration }
    let checksums = names.compactMap { ChecksumAlgorithm(headerName: $0) }
    guard checksums.count <= 1 else { throw .trailerDeclaration }
    checksum = checksums.first
    // Without signatures, the checksum is the only check of the body.
    guard checksum != nil || mode.algorithm != nil else { throw .trailerDeclaration }
    declared = names
    self.mode = mode
  }

  /// The value of a received trailer.
  subscript(name: String) -> String? { values[ExactString(name)] }

  /// Reads one line.
  mutating func read(_ line: [UInt8]) throws(SigV4Error) {
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
    // The signature does not cover the trailers after it.
    guard signature == nil, self[name] == nil else { throw .trailerMalformed }
    for byte in value where byte < 0x20 || byte > 0x7E { throw .headerValue(name: name, byte: byte) }
    values[ExactString(name)] = String(decoding: value, as: UTF8.self)
    lines.append(name)
    lines.append(UInt8(ascii: ":"))
    lines.append(copying: value.span)
    lines.append(UInt8(ascii: "\n"))
  }

  /// Checks that all declared trailers were received, and for signed chunks their signature.
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
