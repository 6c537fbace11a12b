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
