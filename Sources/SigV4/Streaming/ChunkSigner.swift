internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// Cuts a body into signed chunks, step by step: `aws-chunked` of S3.
///
///     var signer = try signed.chunkSigner()
///     send(try signer.write(piece))                 // as often as there are pieces, of whatever size
///     send(try signer.finish())
///
/// Each chunk's signature covers the one before it, and the first one that of the request: a signer cannot be
/// copied, for no step may be taken twice.
public struct ChunkSigner: ~Copyable, Sendable {
  private let key: SigningKey
  private let layout: ChunkLayout
  private let date: Timestamp
  private let scope: CredentialScope
  private var previous: String
  private var held: [UInt8] = []
  private var count = 0
  private var digest: RunningDigest
  private var checksum: RunningChecksum?

  /// A signature of SigV4A in a chunk is filled up with `*`, so that a body's length is known before it is signed.
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

  /// Takes a piece of the body and gives what of it can be sent: whole chunks.
  ///
  /// - Throws: `decodedLengthMismatch` where there is more of the body than was announced.
  public mutating func write(_ piece: [UInt8]) throws(SigV4Error) -> [UInt8] {
    try write(piece.span)
  }

  /// The same for bytes that lie anywhere.
  public mutating func write(_ piece: borrowing Span<UInt8>) throws(SigV4Error) -> [UInt8] {
    count += piece.count
    guard count <= layout.decodedLength else {
      throw .decodedLengthMismatch(declared: layout.decodedLength, actual: count)
    }
    try updateChecksum(piece)
    let size = layout.chunkSize
    guard held.count + piece.count >= size else {
      held.append(copying: piece)
      return []
    }
    var output: [UInt8] = []
    output.reserveCapacity((held.count + piece.count) / size * (size + 192))
    var position = 0
    if !held.isEmpty {
      position = size - held.count
      held.append(copying: piece.extracting(0..<position))
      let whole = held
      held.removeAll(keepingCapacity: true)
      try append(chunk: whole.span, to: &output)
    }
    while piece.count - position >= size {
      try append(chunk: piece.extracting(position..<position + size), to: &output)
      position += size
    }
    held.append(copying: piece.extracting(position..<piece.count))
    return output
  }

  /// The last chunks, the trailers, and the end.
  ///
  /// - Throws: `decodedLengthMismatch` where there was less of the body than announced.
  public consuming func finish() throws(SigV4Error) -> [UInt8] {
    guard count == layout.decodedLength else {
      throw .decodedLengthMismatch(declared: layout.decodedLength, actual: count)
    }
    var output: [UInt8] = []
    if !held.isEmpty {
      let rest = held
      try append(chunk: rest.span, to: &output)
    }
    let none: [UInt8] = []
    try append(chunk: none.span, to: &output)
    if let value = try checksum?.finish(), let name = layout.checksum?.headerName {
      // The signature is over the lines with a line feed alone; what is sent has carriage returns.
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

  private mutating func updateChecksum(_ piece: borrowing Span<UInt8>) throws(SigV4Error) {
    try checksum?.update(piece)
  }

  // The last chunk, which is empty, has no line behind its data: trailers follow, or the end.
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
