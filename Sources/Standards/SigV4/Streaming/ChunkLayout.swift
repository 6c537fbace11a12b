/// How a body is split into chunks.
public struct ChunkLayout: Sendable, Hashable {
  /// The number of bytes of the body itself.
  public var decodedLength: Int
  /// The number of bytes of each chunk but the last; S3 requires at least 8 KiB.
  public var chunkSize: Int
  /// The algorithm of the checksum trailer, or nil.
  public var checksum: ChecksumAlgorithm?
  /// Whether every chunk has a signature. Unsigned chunks need a checksum, and TLS.
  public var isSigned: Bool
  /// Whether signing adds a `Content-Length` of the encoded body. Set it to false for `Transfer-Encoding:
  /// chunked`.
  public var declaresContentLength: Bool

  /// Creates a layout.
  ///
  /// - Parameters:
  ///   - decodedLength: the number of bytes of the body itself.
  ///   - chunkSize: the number of bytes of each chunk but the last.
  ///   - checksum: the algorithm of the checksum trailer, or nil.
  ///   - isSigned: whether every chunk has a signature.
  ///   - declaresContentLength: whether signing adds a `Content-Length`.
  /// - Throws: `chunkLayout` for lengths out of range, and for unsigned chunks without a checksum.
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

  /// The number of bytes of the encoded body, including signatures and trailers.
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
