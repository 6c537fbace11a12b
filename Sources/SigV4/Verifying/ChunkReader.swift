internal import CryptoPrimitives
internal import Encodings

/// Takes the coding `aws-chunked` apart and checks every chunk, byte by byte as they come.
///
/// The work and the memory are bounded: a line by its longest form, held data by what the caller allows.
struct ChunkReader: ~Copyable, Sendable {
  private enum Place {
    case size
    case data(left: Int)
    case dataEnd
    case trailer
    case end
  }

  private let mode: PayloadMode
  private let key: CheckingKey
  private let date: AmzDate
  private let scope: CredentialScope
  private let decodedLength: Int
  private let declared: Set<String>
  private let release: BodyRelease
  private var previous: String
  private var place = Place.size
  private var line: [UInt8] = []
  private var signature: [UInt8] = []
  private var held: [UInt8] = []
  private var digest: RunningDigest
  private var checksum: RunningChecksum?
  /// The checksum that follows, if any of those that are known.
  let algorithm: ChecksumAlgorithm?
  private(set) var count = 0
  private(set) var chunks = 0
  private(set) var trailers: [String: String] = [:]
  private var trailerLines: [UInt8] = []
  private var trailerSignature: [UInt8]?

  static let longestLine = 1_024
  static let mostTrailers = 16

  init(_ request: UnverifiedRequest, mode: PayloadMode, key: CheckingKey, release: BodyRelease)
    throws(SigV4Error)
  {
    let text = request.head["x-amz-decoded-content-length"] ?? ""
    guard (1...16).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let length = Int(text)
    else { throw .decodedLengthMissing }
    let names = (request.head["x-amz-trailer"] ?? "").lowercasedASCII.split(separator: ",").map { part in
      String(decoding: AuthorizationHeader.trimmed(Array(part.utf8)[...]), as: UTF8.self)
    }
    let declared = Set(names)
    guard names.count == declared.count, names.count <= Self.mostTrailers, mode.hasTrailer == !names.isEmpty
    else {
      throw .trailerDeclaration
    }
    let algorithm = names.lazy.compactMap { ChecksumAlgorithm(headerName: $0) }.first
    // Without signatures the checksum is all there is.
    guard algorithm != nil || mode.algorithm != nil else { throw .trailerDeclaration }
    let digest = try SigV4Error.running(.sha256)
    checksum = try RunningChecksum.started(algorithm)
    self.digest = digest
    self.algorithm = algorithm
    self.mode = mode
    self.key = key
    self.release = release
    self.declared = declared
    decodedLength = length
    date = request.parameters.date
    scope = request.parameters.scope
    previous = request.parameters.signatureText
  }

  /// Reads on; appends to `output` what can be handed on.
  mutating func read(_ bytes: borrowing Span<UInt8>, to output: inout [UInt8]) throws(SigV4Error) {
    var position = 0
    while position < bytes.count {
      switch place {
      case .end: throw .dataAfterEnd
      case .data(let left):
        let size = min(left, bytes.count - position)
        try take(data: bytes.extracting(position..<position + size), to: &output)
        position += size
        place = left == size ? .dataEnd : .data(left: left - size)
      case .size, .dataEnd, .trailer:
        let byte = bytes[position]
        position += 1
        guard byte == UInt8(ascii: "\n") else {
          line.append(byte)
          guard line.count <= Self.longestLine else {
            throw .chunkMalformed("a line of more than 1,024 bytes")
          }
          continue
        }
        guard line.popLast() == UInt8(ascii: "\r") else {
          throw .chunkMalformed("a line that does not end in CR LF")
        }
        let text = line
        line.removeAll(keepingCapacity: true)
        try take(line: text, to: &output)
      }
    }
  }

  private mutating func take(data: borrowing Span<UInt8>, to output: inout [UInt8]) throws(SigV4Error) {
    if mode.algorithm != nil { do { try digest.update(data) } catch { throw SigV4Error(error) } }
    try checksum?.update(data)
    if release.isImmediate {
      output.append(copying: data)
    } else {
      held.append(copying: data)
    }
  }

  private mutating func take(line: [UInt8], to output: inout [UInt8]) throws(SigV4Error) {
    switch place {
    case .size: try take(sizeLine: line, to: &output)
    case .dataEnd:
      guard line.isEmpty else { throw .chunkMalformed("data longer than its length says") }
      try endChunk(to: &output)
      place = .size
    case .trailer: try take(trailer: line, to: &output)
    case .data, .end: break
    }
  }

  // SIZE in hex, and the signature where chunks have one.
  private mutating func take(sizeLine line: [UInt8], to output: inout [UInt8]) throws(SigV4Error) {
    let parts = line.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    let digits = String(decoding: parts[0], as: UTF8.self)
    guard (1...12).contains(parts[0].count), parts[0].allSatisfy({ Hex.isDigit($0) }),
      let size = Int(digits, radix: 16)
    else { throw .chunkMalformed("a length that is no hexadecimal number of up to 12 digits") }
    if mode.algorithm != nil {
      let name = Array("chunk-signature=".utf8)
      guard parts.count == 2, parts[1].starts(with: name) else {
        throw .chunkMalformed("no chunk-signature behind the length")
      }
      signature = try Self.signature(parts[1].dropFirst(name.count), key.algorithm)
    } else if parts.count != 1 {
      throw .chunkMalformed("an extension where none is expected")
    }
    // Before the data comes: a length that lies costs nothing.
    guard size <= decodedLength - count else {
      throw .decodedLengthMismatch(declared: decodedLength, found: count + size)
    }
    count += size
    guard size > 0 else {
      try endChunk(to: &output)
      guard count == decodedLength else {
        throw .decodedLengthMismatch(declared: decodedLength, found: count)
      }
      place = .trailer
      return
    }
    if let limit = release.limit, held.count + size > limit {
      throw .chunkTooLarge(size: held.count + size, limit: limit)
    }
    chunks += 1
    if let limit = release.limit { held.reserveCapacity(min(held.count + size, limit, 1 << 20)) }
    place = .data(left: size)
  }

  private mutating func endChunk(to output: inout [UInt8]) throws(SigV4Error) {
    guard mode.algorithm != nil else { return }
    let hash: [UInt8]
    do { hash = try digest.finish() } catch { throw SigV4Error(error) }
    let text = StringToSign.chunk(key.algorithm, date: date, scope: scope, previous: previous, dataHash: hash)
    guard try key.check(signature, over: text.span) else { throw .chunkSignatureMismatch(index: chunks) }
    previous = Hex.string(signature)
    // The signature says that this much is whole: it can go.
    if output.isEmpty {
      swap(&output, &held)
    } else {
      output.append(copying: held.span)
      held.removeAll(keepingCapacity: true)
    }
  }

  private mutating func take(trailer line: [UInt8], to output: inout [UInt8]) throws(SigV4Error) {
    guard !line.isEmpty else {
      try endTrailers()
      place = .end
      output.append(copying: held.span)
      held = []
      return
    }
    guard mode.hasTrailer else { throw .trailerUndeclared("") }
    guard let mark = line.firstIndex(of: UInt8(ascii: ":")) else { throw .trailerMalformed }
    let name = String(decoding: line[..<mark], as: UTF8.self).lowercasedASCII
    let value = Array(AuthorizationHeader.trimmed(line[(mark + 1)...]))
    if name == "x-amz-trailer-signature", mode.algorithm != nil {
      guard trailerSignature == nil else { throw .trailerMalformed }
      trailerSignature = try Self.signature(value[...], key.algorithm)
      return
    }
    guard declared.contains(name) else { throw .trailerUndeclared(name) }
    // What is behind its signature is not covered by it.
    guard trailerSignature == nil, trailers[name] == nil else { throw .trailerMalformed }
    for byte in value where byte < 0x20 || byte > 0x7E { throw .headerValue(name: name, byte: byte) }
    trailers[name] = String(decoding: value, as: UTF8.self)
    trailerLines.append(name)
    trailerLines.append(UInt8(ascii: ":"))
    trailerLines.append(copying: value.span)
    trailerLines.append(UInt8(ascii: "\n"))
  }

  private mutating func endTrailers() throws(SigV4Error) {
    for name in declared.sorted() where trailers[name] == nil { throw .trailerMissing(name) }
    if mode.hasTrailer, mode.algorithm != nil {
      guard let trailerSignature else { throw .trailerMissing("x-amz-trailer-signature") }
      let hash = try SigV4Error.hash(trailerLines.span)
      let text = StringToSign.trailer(
        key.algorithm, date: date, scope: scope, previous: previous, trailerHash: hash)
      guard try key.check(trailerSignature, over: text.span) else { throw .trailerSignatureMismatch }
    }
    if let name = algorithm?.headerName, let value = try checksum?.finish(), trailers[name] != value {
      throw .checksumMismatch(name)
    }
  }

  private static func signature(
    _ text: ArraySlice<UInt8>, _ algorithm: SigningAlgorithm
  ) throws(SigV4Error) -> [UInt8] {
    guard algorithm == .ecdsaP256SHA256 else {
      return try SignatureParameters.readSignature(Array(text), algorithm)
    }
    guard text.count == ChunkSigner.paddedSignatureSize else { throw .signatureMalformed(length: text.count) }
    var rest = text
    while rest.last == UInt8(ascii: "*") { rest = rest.dropLast() }
    return try SignatureParameters.readSignature(Array(rest), algorithm)
  }

  /// True where the last line came.
  var hasEnded: Bool { if case .end = place { true } else { false } }
}
