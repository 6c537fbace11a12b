internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Encodes a body as signed chunks, `aws-chunked` of S3.
///
///     var signer = try signed.chunkSigner()
///     send(try signer.write(piece))                 // for each piece, of any size
///     send(try signer.finish())
///
/// Each chunk's signature covers the previous one, and the first one the signature of the request. A signer
/// cannot be copied, so that no step is taken twice.
public struct ChunkSigner: ~Copyable, Sendable {
  private let key: SigningKey
  private let layout: ChunkLayout
  private let date: Timestamp
  private let scope: CredentialScope
  private var previous: String
  private var buffer: [UInt8] = []
  private var count = 0
  private var digest: RunningDigest
  private var checksum: RunningChecksum?

  /// The size of a SigV4A signature in a chunk, padded with `*` so that the encoded length is known in
  /// advance.
  static let paddedSignatureSize = 144

  init(
    key: SigningKey, layout: ChunkLayout, date: Timestamp, scope: CredentialScope, seed: String
  ) throws(SigV4Error) {
    let digest = try SigV4Error.running(.sha256)
    checksum = try RunningChecksum.started(layout.checksum)
    self.digest = digest
    self.key = key
    self.layout = layout
    self.date = date
    self.scope = scope
    previous = seed
  }

  /// Adds a piece of the body.
  ///
  /// - Parameter piece: the next bytes of the body, any number of them.
  /// - Returns: the completed chunks to send, which can be empty.
  /// - Throws: `decodedLengthMismatch` when the body is longer than declared.
  public mutating func write(_ piece: [UInt8]) throws(SigV4Error) -> [UInt8] {
    try write(piece.span)
  }

  /// Adds a piece of the body from a span; see ``write(_:)-([UInt8])``.
  public mutating func write(_ piece: borrowing Span<UInt8>) throws(SigV4Error) -> [UInt8] {
    count += piece.count
    guard count <= layout.decodedLength else {
      throw .decodedLengthMismatch(declared: layout.decodedLength, actual: count)
    }
    try checksum?.update(piece)
    let size = layout.chunkSize
    guard buffer.count + piece.count >= size else {
      buffer.append(copying: piece)
      return []
    }
    var output: [UInt8] = []
    output.reserveCapacity((buffer.count + piece.count) / size * (size + 192))
    var position = 0
    if !buffer.isEmpty {
      position = size - buffer.count
      buffer.append(copying: piece.extracting(0..<position))
      let whole = buffer
      buffer.removeAll(keepingCapacity: true)
      try append(chunk: whole.span, to: &output)
    }
    while piece.count - position >= size {
      try append(chunk: piece.extracting(position..<position + size), to: &output)
      position += size
    }
    buffer.append(copying: piece.extracting(position..<piece.count))
    return output
  }

  /// Ends the body.
  ///
  /// - Returns: the last chunks and the trailers to send.
  /// - Throws: `decodedLengthMismatch` when the body was shorter than declared.
  public consuming func finish() throws(SigV4Error) -> [UInt8] {
    guard count == layout.decodedLength else {
      throw .decodedLengthMismatch(declared: layout.decodedLength, actual: count)
    }
    var output: [UInt8] = []
    if !buffer.isEmpty {
      let rest = buffer
      try append(chunk: rest.span, to: &output)
    }
    let none: [UInt8] = []
    try append(chunk: none.span, to: &output)
    if let value = try checksum?.finish(), let name = layout.checksum?.headerName {
      // The signed lines end with LF, the sent lines with CR LF.
      let line = "\(name):\(value)"
      output.append(line)
      output.append("\r\n" as StaticString)
      if layout.isSigned {
        let hash = try SigV4Error.hash((line + "\n").utf8.span)
        let text = StringToSign.trailer(
          key.algorithm, date: date, scope: scope, previous: previous, trailerHash: hash)
        output.append("x-amz-trailer-signature:" as StaticString)
        output.append(Self.padded(Hex.string(try key.sign(text.span)), key.algorithm))
        output.append("\r\n" as StaticString)
      }
    }
    output.append("\r\n" as StaticString)
    return output
  }

  // The last chunk, which is empty, has no line for its data: trailers or the end follow.
  private mutating func append(chunk: borrowing Span<UInt8>, to output: inout [UInt8]) throws(SigV4Error) {
    output.append(String(chunk.count, radix: 16))
    if layout.isSigned {
      let hash: [UInt8]
      do {
        try digest.update(chunk)
        hash = try digest.finish()
      } catch {
        throw SigV4Error(error)
      }
      let text = StringToSign.chunk(
        key.algorithm, date: date, scope: scope, previous: previous, dataHash: hash)
      previous = Hex.string(try key.sign(text.span))
      output.append(";chunk-signature=" as StaticString)
      output.append(Self.padded(previous, key.algorithm))
    }
    output.append("\r\n" as StaticString)
    guard chunk.count > 0 else { return }
    output.append(copying: chunk)
    output.append("\r\n" as StaticString)
  }

  private static func padded(_ signature: String, _ algorithm: SigningAlgorithm) -> String {
    guard algorithm == .ecdsaP256SHA256 else { return signature }
    return signature + String(repeating: "*", count: max(0, paddedSignatureSize - signature.utf8.count))
  }
}
