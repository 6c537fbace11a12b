internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Decodes `aws-chunked` and checks every chunk, from pieces of any size.
///
/// Work and memory are bounded: a line has a longest form, and buffered data the caller's limit.
struct ChunkReader: ~Copyable, Sendable {
  private enum State {
    case size
    case data(left: Int)
    case dataEnd
    case trailer
    case end
  }

  private let mode: PayloadMode
  private let key: CheckingKey
  private let date: Timestamp
  private let scope: CredentialScope
  private let decodedLength: Int
  private let release: BodyRelease
  private var previous: String
  private var state = State.size
  private var line: [UInt8] = []
  private var signature: [UInt8] = []
  private var buffer: [UInt8] = []
  private var digest: RunningDigest
  private var checksum: RunningChecksum?
  /// The algorithm of the checksum trailer, or nil.
  let algorithm: ChecksumAlgorithm?
  private(set) var count = 0
  private(set) var chunks = 0
  private var trailers: ChunkTrailers
  /// The hashes of all chunks.
  private var hashes: RunningDigest
  /// A digest of the data and trailers that signatures cover; nil for a body that has not ended, and for chunks
  /// without signatures.
  private(set) var signedData: [UInt8]?

  static let longestLine = 1_024

  init(_ request: UnverifiedRequest, mode: PayloadMode, key: CheckingKey, release: BodyRelease)
    throws(SigV4Error)
  {
    let text = request.head["x-amz-decoded-content-length"] ?? ""
    guard (1...16).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let length = Int(text)
    else { throw .decodedLengthMissing }
    let trailers = try ChunkTrailers(declaredBy: request.head.list("x-amz-trailer"), mode: mode)
    let digest = try SigV4Error.running(.sha256)
    let hashes = try SigV4Error.running(.sha256)
    checksum = try RunningChecksum.started(trailers.checksum)
    self.digest = digest
    self.hashes = hashes
    self.trailers = trailers
    algorithm = trailers.checksum
    self.mode = mode
    self.key = key
    self.release = release
    decodedLength = length
    date = request.parameters.date
    scope = request.parameters.scope
    previous = request.parameters.signatureText
  }

  /// Reads a piece, and appends the released data to `output`.
  mutating func read(_ bytes: borrowing Span<UInt8>, to output: inout [UInt8]) throws(SigV4Error) {
    var position = 0
    while position < bytes.count {
      switch state {
      case .end: throw .dataAfterEnd
      case .data(let left):
        let size = min(left, bytes.count - position)
        try read(data: bytes.extracting(position..<position + size), to: &output)
        position += size
        state = left == size ? .dataEnd : .data(left: left - size)
      case .size, .dataEnd, .trailer:
        let byte = bytes[position]
        position += 1
        guard byte == UInt8(ascii: "\n") else {
          guard line.count < Self.longestLine else {
            throw .chunkMalformed("a line of more than 1,024 bytes")
          }
          line.append(byte)
          continue
        }
        guard let text = try endLine() else { continue }
        try read(line: text, to: &output)
      }
    }
  }

  /// The line before a line feed, without its end; nil when the line may continue.
  ///
  /// A trailer line, and no other line, may have one line feed before its CR LF: minio-go sends `name:value`,
  /// LF, CR LF. The signed text has a line feed there in both cases.
  private mutating func endLine() throws(SigV4Error) -> [UInt8]? {
    let lineFeed = UInt8(ascii: "\n")
    if case .trailer = state, !line.isEmpty, line.last != UInt8(ascii: "\r"), !line.contains(lineFeed) {
      line.append(lineFeed)
      return nil
    }
    guard line.popLast() == UInt8(ascii: "\r") else {
      throw .chunkMalformed("a line that does not end with CR LF")
    }
    if line.last == lineFeed { line.removeLast() }
    guard !line.contains(lineFeed) else { throw .chunkMalformed("a line that does not end with CR LF") }
    let text = line
    line.removeAll(keepingCapacity: true)
    return text
  }

  private mutating func read(data: borrowing Span<UInt8>, to output: inout [UInt8]) throws(SigV4Error) {
    if mode.algorithm != nil { do { try digest.update(data) } catch { throw SigV4Error(error) } }
    try checksum?.update(data)
    if release.isImmediate {
      output.append(copying: data)
    } else {
      buffer.append(copying: data)
    }
  }

  private mutating func read(line: [UInt8], to output: inout [UInt8]) throws(SigV4Error) {
    switch state {
    case .size: try read(sizeLine: line, to: &output)
    case .dataEnd:
      guard line.isEmpty else { throw .chunkMalformed("data longer than the length of the chunk") }
      try endChunk(to: &output)
      state = .size
    case .trailer: try read(trailer: line, to: &output)
    case .data, .end: break
    }
  }

  // SIZE in hex, and for signed chunks ";chunk-signature=" and the signature.
  private mutating func read(sizeLine line: [UInt8], to output: inout [UInt8]) throws(SigV4Error) {
    let parts = line.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    let digits = String(decoding: parts[0], as: UTF8.self)
    guard (1...12).contains(parts[0].count), parts[0].allSatisfy({ Hex.isDigit($0) }),
      let size = Int(digits, radix: 16)
    else { throw .chunkMalformed("a length that is not a hexadecimal number of up to 12 digits") }
    if mode.algorithm != nil {
      let name = Array("chunk-signature=".utf8)
      guard parts.count == 2, parts[1].starts(with: name) else {
        throw .chunkMalformed("no chunk-signature after the length")
      }
      signature = try Self.signature(parts[1].dropFirst(name.count), key.algorithm)
    } else if parts.count != 1 {
      throw .chunkMalformed("an extension where none is expected")
    }
    // Before the data is read, so that a false length costs no memory.
    guard size <= decodedLength - count else {
      throw .decodedLengthMismatch(declared: decodedLength, actual: count + size)
    }
    count += size
    guard size > 0 else {
      try endChunk(to: &output)
      guard count == decodedLength else {
        throw .decodedLengthMismatch(declared: decodedLength, actual: count)
      }
      state = .trailer
      return
    }
    if let limit = release.limit, buffer.count + size > limit {
      throw .chunkTooLarge(size: buffer.count + size, limit: limit)
    }
    chunks += 1
    // Once for each release: a reservation for every small chunk would copy the buffer each time.
    if buffer.isEmpty, let limit = release.limit { buffer.reserveCapacity(min(size, limit, 1 << 20)) }
    state = .data(left: size)
  }

  private mutating func endChunk(to output: inout [UInt8]) throws(SigV4Error) {
    guard mode.algorithm != nil else { return }
    let hash: [UInt8]
    do {
      hash = try digest.finish()
      try hashes.update(hash.span)
    } catch {
      throw SigV4Error(error)
    }
    let text = StringToSign.chunk(key.algorithm, date: date, scope: scope, previous: previous, dataHash: hash)
    guard try key.check(signature, over: text.span) else { throw .chunkSignatureMismatch(index: chunks) }
    previous = Hex.string(signature)
    if output.isEmpty {
      swap(&output, &buffer)
    } else {
      output.append(copying: buffer.span)
      buffer.removeAll(keepingCapacity: true)
    }
  }

  private mutating func read(trailer line: [UInt8], to output: inout [UInt8]) throws(SigV4Error) {
    guard line.isEmpty else { return try trailers.read(line) }
    try trailers.check(key: key, date: date, scope: scope, previous: previous)
    if let name = algorithm?.headerName, let value = try checksum?.finish(), trailers[name] != value {
      throw .checksumMismatch(name)
    }
    if mode.algorithm != nil {
      let lines = trailers.lines
      do {
        try hashes.update(lines.span)
        signedData = try hashes.finish()
      } catch {
        throw SigV4Error(error)
      }
    }
    state = .end
    output.append(copying: buffer.span)
    buffer = []
  }

  /// The received trailers by their lower-case names.
  var foundTrailers: [ExactString: String] { trailers.values }

  static func signature(
    _ text: ArraySlice<UInt8>, _ algorithm: SigningAlgorithm
  ) throws(SigV4Error) -> [UInt8] {
    guard algorithm == .ecdsaP256SHA256 else {
      return try SignatureBytes(hex: Array(text), algorithm).array
    }
    guard text.count == ChunkSigner.paddedSignatureSize else { throw .signatureMalformed(length: text.count) }
    var rest = text
    while rest.last == UInt8(ascii: "*") { rest = rest.dropLast() }
    return try SignatureBytes(hex: Array(rest), algorithm).array
  }

  /// Whether the last line was read.
  var hasEnded: Bool { if case .end = state { true } else { false } }
}
