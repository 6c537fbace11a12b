internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// When a ``BodyVerifier`` returns the bytes of a body.
public enum BodyRelease: Sendable, Hashable {
  /// After the signature, hash or checksum that covers them was verified: for signed chunks after each chunk,
  /// for all other bodies at the end. At most this many bytes are buffered; a larger body is rejected.
  case whenVerified(atMost: Int = 16 << 20)
  /// At once. The caller must discard them when ``BodyVerifier/finish()`` throws.
  case immediately

  var isImmediate: Bool { self == .immediately }

  var limit: Int? {
    switch self {
    case .whenVerified(let limit): limit
    case .immediately: nil
    }
  }
}

/// Verifies a body that arrives in pieces.
///
///     var body = try verifier.verifyBody(pending, key: key)
///     for try await piece in pieces { store(try body.read(piece)) }
///     let (request, rest) = try body.finish()
///
/// After an error every call throws the same error.
public struct BodyVerifier: ~Copyable, Sendable {
  /// How the body is checked.
  enum Check: Sendable {
    /// With the verifier that remembers the request at the end; nil where it does so already.
    case hash([UInt8], RequestVerifier.CheckedSignature, rememberedBy: RequestVerifier?)
    case checksum(ChecksumAlgorithm, signing: [UInt8])
    case undeclared(verifier: RequestVerifier, key: VerificationKey?)
    case chunks(PayloadMode, RequestVerifier.CheckedSignature)
  }

  private let pending: PendingRequest
  private let check: Check
  private let release: BodyRelease
  private var digest: RunningDigest?
  private var chunks: ChunkReader?
  private var checksums: HeaderChecksums?
  private var buffer: [UInt8] = []
  private var failure: SigV4Error?

  init(
    _ pending: PendingRequest, _ policy: VerifierPolicy, _ check: Check, _ release: BodyRelease
  ) throws(SigV4Error) {
    self.pending = pending
    self.check = check
    self.release = release
    digest = nil
    chunks = nil
    checksums = nil
    checksums = try HeaderChecksums.declared(by: pending.request, policy)
    switch check {
    case .checksum: break
    case .hash, .undeclared: digest = try SigV4Error.running(.sha256)
    case .chunks(let mode, let checked):
      chunks = try ChunkReader(pending.request, mode: mode, key: checked.key, release: release)
    }
  }

  /// Reads a piece of the body as it was sent.
  ///
  /// - Parameter piece: the next bytes, any number of them.
  /// - Returns: the bytes of the body that are released, without chunk sizes and signatures.
  /// - Throws: for a chunked body, the error of the chunk; `chunkTooLarge` when too many bytes would be
  ///   buffered.
  public mutating func read(_ piece: [UInt8]) throws(SigV4Error) -> [UInt8] {
    try read(piece.span)
  }

  /// Reads a piece of the body from a span; see ``read(_:)-([UInt8])``.
  public mutating func read(_ piece: borrowing Span<UInt8>) throws(SigV4Error) -> [UInt8] {
    if let failure { throw failure }
    var output: [UInt8] = []
    do throws(SigV4Error) {
      try read(piece, &output)
    } catch {
      failure = error
      throw error
    }
    return output
  }

  private mutating func read(_ piece: borrowing Span<UInt8>, _ output: inout [UInt8]) throws(SigV4Error) {
    guard chunks == nil else {
      if release.isImmediate { output.reserveCapacity(piece.count) }
      try chunks?.read(piece, to: &output)
      // All bytes of the body are released before its end.
      try checksums?.update(output.span)
      return
    }
    do { try digest?.update(piece) } catch { throw SigV4Error(error) }
    try checksums?.update(piece)
    guard let limit = release.limit else {
      output.append(copying: piece)
      return
    }
    guard buffer.count + piece.count <= limit else {
      throw .chunkTooLarge(size: buffer.count + piece.count, limit: limit)
    }
    buffer.append(copying: piece)
  }

  /// Checks that the body is complete and correct.
  ///
  /// - Returns: the verified request, and the bytes of the body that were buffered until now.
  /// - Throws: `payloadHashMismatch`, `bodyEndedEarly`, `checksumMismatch` for a checksum in a header of S3, an
  ///   error that ``read(_:)-([UInt8])`` threw before; and all errors of ``RequestVerifier/verify(_:key:body:)`` when no header has the body's hash.
  public consuming func finish() throws(SigV4Error) -> (
    request: VerifiedRequest<StreamBinding>, rest: [UInt8]
  ) {
    if let failure { throw failure }
    let binding: StreamBinding
    let text: [UInt8]
    var body: [UInt8]? = []
    switch check {
    case .hash(let declared, let checked, let verifier):
      text = checked.text
      let hash = try finishDigest()
      guard ConstantTime.areEqual(declared.span, hash.span) else { throw .payloadHashMismatch }
      try verifier?.checkReplay(checked, pending)
      binding = StreamBinding(means: .hash(hash), trailers: [:])
    case .checksum(let algorithm, let signed):
      text = signed
      body = algorithm.bindsBody ? [] : nil
      binding = StreamBinding(means: .signedChecksum(algorithm), trailers: [:])
    case .undeclared(let verifier, let key):
      let hash = try finishDigest()
      text = try verifier.verify(pending, key, hash: hash).text
      binding = StreamBinding(means: .hash(hash), trailers: [:])
    case .chunks(let mode, let checked):
      text = checked.text
      guard chunks?.hasEnded == true else { throw .bodyEndedEarly }
      body = chunks?.signedData
      let trailers = chunks?.foundTrailers ?? [:]
      if mode.algorithm == nil, let algorithm = chunks?.algorithm {
        binding = StreamBinding(means: .unsignedChecksum(algorithm), trailers: trailers)
      } else {
        binding = StreamBinding(means: .chunks(chunks?.chunks ?? 0), trailers: trailers)
      }
    }
    try checksums?.finish()
    return (VerifiedRequest(pending, signing: text, body: body, binding), buffer)
  }

  private mutating func finishDigest() throws(SigV4Error) -> [UInt8] {
    do { return try digest?.finish() ?? [] } catch { throw SigV4Error(error) }
  }
}
