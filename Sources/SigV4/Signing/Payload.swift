internal import TokenSecurityCrypto
public import TokenSecurityEncodings

/// What a signature says of a request's body.
public enum Payload: Sendable, Hashable {
  /// There is no body.
  case none
  /// These bytes, hashed here.
  case bytes([UInt8])
  /// A body of this SHA-256, 32 bytes.
  case sha256([UInt8])
  /// `UNSIGNED-PAYLOAD`: the signature says nothing of the body. Only over TLS, and only where a service allows it.
  case unsigned
  /// A body that is sent in chunks, `aws-chunked`.
  case chunks(ChunkLayout)
  /// A body of signed events, `application/vnd.amazon.eventstream`.
  case events

  /// The last line of the canonical request.
  func line(_ algorithm: SigningAlgorithm) throws(SigV4Error) -> PayloadLine {
    switch self {
    case .none: return .text(StringToSign.emptyHash)
    case .bytes(let bytes): return .hash(try SigV4Error.digest(bytes.span))
    case .sha256(let hash):
      guard hash.count == 32 else { throw .payloadHashLength(hash.count) }
      return .text(Hex.string(hash))
    case .unsigned: return .text(PayloadMode.unsigned.name)
    case .chunks(let layout): return .text(layout.mode(algorithm).name)
    case .events: return .text(PayloadMode.events(algorithm).name)
    }
  }

  /// True where the receiver cannot know the last line unless a header says it.
  var mustBeDeclared: Bool {
    switch self {
    case .none, .bytes, .sha256: false
    case .unsigned, .chunks, .events: true
    }
  }
}

/// The last line of a canonical request.
enum PayloadLine {
  case hash(InlineArray<32, UInt8>)
  case text(String)

  func append(to output: inout [UInt8]) {
    switch self {
    case .hash(let hash): output.append(hex: hash.span)
    case .text(let text): output.append(text)
    }
  }

  /// The line by itself, for a header.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }
}

/// What `X-Amz-Content-Sha256` says where it is not a hash.
public enum PayloadMode: ExactString, Sendable, Hashable, CaseIterable {
  /// Nothing is said of the body.
  case unsigned = "UNSIGNED-PAYLOAD"
  /// Every chunk carries a signature.
  case chunks = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"
  /// Every chunk carries a signature, and so do the trailers behind them.
  case chunksWithTrailer = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"
  /// No chunk carries a signature; a checksum follows behind them.
  case unsignedChunksWithTrailer = "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
  /// Every event carries a signature.
  case events = "STREAMING-AWS4-HMAC-SHA256-EVENTS"
  /// The same with SigV4A.
  case ecdsaChunks = "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD"
  /// The same with SigV4A.
  case ecdsaChunksWithTrailer = "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD-TRAILER"
  /// The same with SigV4A.
  case ecdsaEvents = "STREAMING-AWS4-ECDSA-P256-SHA256-EVENTS"

  static func events(_ algorithm: SigningAlgorithm) -> PayloadMode {
    algorithm == .hmacSHA256 ? .events : .ecdsaEvents
  }

  /// The algorithm that the chunks or events are signed with; nil where they are not.
  var algorithm: SigningAlgorithm? {
    switch self {
    case .unsigned, .unsignedChunksWithTrailer: nil
    case .chunks, .chunksWithTrailer, .events: .hmacSHA256
    case .ecdsaChunks, .ecdsaChunksWithTrailer, .ecdsaEvents: .ecdsaP256SHA256
    }
  }

  var isChunked: Bool {
    switch self {
    case .unsigned, .events, .ecdsaEvents: false
    case .chunks, .chunksWithTrailer, .unsignedChunksWithTrailer, .ecdsaChunks, .ecdsaChunksWithTrailer: true
    }
  }

  var hasTrailer: Bool {
    switch self {
    case .chunksWithTrailer, .unsignedChunksWithTrailer, .ecdsaChunksWithTrailer: true
    case .unsigned, .chunks, .events, .ecdsaChunks, .ecdsaEvents: false
    }
  }
}

/// How a body is cut into chunks, and what stands around them.
public struct ChunkLayout: Sendable, Hashable {
  /// The bytes of the body itself.
  public var decodedLength: Int
  /// The bytes of each chunk but the last; S3 takes no fewer than 8 KiB.
  public var chunkSize: Int
  /// The checksum that follows in a trailer, or nil.
  public var checksum: ChecksumAlgorithm?
  /// True where every chunk is signed. Unsigned ones need a checksum, and TLS.
  public var isSigned: Bool
  /// True where a `Content-Length` of all that is sent is added; not for `Transfer-Encoding: chunked`.
  public var declaresContentLength: Bool

  /// A layout; chunks of 64 KiB that are signed, without a checksum, unless said otherwise.
  ///
  /// - Throws: `chunkLayout` where the length is negative, the chunks are empty, or unsigned chunks have no checksum.
  public init(
    decodedLength: Int, chunkSize: Int = 65_536, checksum: ChecksumAlgorithm? = nil, isSigned: Bool = true,
    declaresContentLength: Bool = true
  ) throws(SigV4Error) {
    guard decodedLength >= 0, decodedLength <= 1 << 50 else {
      throw .chunkLayout("a body of \(decodedLength) bytes")
    }
    guard (1...1 << 30).contains(chunkSize) else { throw .chunkLayout("chunks of \(chunkSize) bytes") }
    guard isSigned || checksum != nil else { throw .chunkLayout("neither signatures nor a checksum") }
    self.decodedLength = decodedLength
    self.chunkSize = chunkSize
    self.checksum = checksum
    self.isSigned = isSigned
    self.declaresContentLength = declaresContentLength
  }

  func mode(_ algorithm: SigningAlgorithm) -> PayloadMode {
    switch (isSigned, checksum, algorithm) {
    case (false, _, _): .unsignedChunksWithTrailer
    case (true, nil, .hmacSHA256): .chunks
    case (true, nil, .ecdsaP256SHA256): .ecdsaChunks
    case (true, _, .hmacSHA256): .chunksWithTrailer
    case (true, _, .ecdsaP256SHA256): .ecdsaChunksWithTrailer
    }
  }

  /// The bytes of all that is sent: chunks, what stands before and behind them, trailers.
  public func encodedLength(_ algorithm: SigningAlgorithm = .hmacSHA256) -> Int {
    let signature = algorithm == .hmacSHA256 ? 64 : ChunkSigner.paddedSignatureSize
    func chunk(_ size: Int) -> Int {
      // SIZE;chunk-signature=… CRLF, data CRLF
      String(size, radix: 16).utf8.count + (isSigned ? 17 + signature : 0) + 2 + (size > 0 ? size + 2 : 0)
    }
    let whole = decodedLength / chunkSize
    let rest = decodedLength % chunkSize
    var length = whole * chunk(chunkSize) + (rest > 0 ? chunk(rest) : 0) + chunk(0)
    if let checksum {
      length += checksum.headerName.utf8.count + 1 + (checksum.size + 2) / 3 * 4 + 2
      if isSigned { length += 24 + signature + 2 }
    }
    return length + 2
  }
}
