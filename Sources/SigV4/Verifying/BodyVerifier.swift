internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// When the bytes of a body are handed on.
public enum BodyRelease: Sendable, Hashable {
  /// Not before the signature, the hash or the checksum that covers them held: of signed chunks one by one, of all
  /// else at the end. So many bytes are held at the most; what does not fit is refused.
  case whenVerified(atMost: Int = 16 << 20)
  /// At once. They must be thrown away if ``BodyVerifier/finish()`` throws.
  case immediately

  var isImmediate: Bool { self == .immediately }

  var limit: Int? {
    switch self {
    case .whenVerified(let limit): limit
    case .immediately: nil
    }
  }
}

/// Verifies a body that comes in pieces.
///
///     var body = try verifier.verifyBody(pending, key: key)
///     for try await piece in pieces { store(try body.read(piece)) }
///     let (request, rest) = try body.finish()
///
/// Once it has thrown, it throws the same again: nothing behind a fault is read.
public struct BodyVerifier: ~Copyable, Sendable {
  /// What the body is checked against.
  enum Check: Sendable {
    case hash([UInt8])
    case undeclared(verifier: RequestVerifier, key: VerificationKey?)
    case chunks(PayloadMode, CheckingKey)
  }

  private let pending: PendingRequest
  private let check: Check
  private let release: BodyRelease
  private var digest: RunningDigest?
  private var chunks: ChunkReader?
  private var held: [UInt8] = []
  private var fault: SigV4Error?

  init(_ pending: PendingRequest, _ check: Check, _ release: BodyRelease) throws(SigV4Error) {
    self.pending = pending
    self.check = check
    self.release = release
    digest = nil
    chunks = nil
    switch check {
    case .hash, .undeclared: digest = try SigV4Error.running(.sha256)
    case .chunks(let mode, let key):
      chunks = try ChunkReader(pending.request, mode: mode, key: key, release: release)
    }
  }

  /// Takes a piece of what was sent, and gives what can be handed on: the body without what stands around chunks.
  public mutating func read(_ piece: [UInt8]) throws(SigV4Error) -> [UInt8] {
    try read(piece.span)
  }

  /// The same for bytes that lie anywhere.
  public mutating func read(_ piece: borrowing Span<UInt8>) throws(SigV4Error) -> [UInt8] {
    if let fault { throw fault }
    var output: [UInt8] = []
    do throws(SigV4Error) {
      try take(piece, &output)
    } catch {
      fault = error
      throw error
    }
    return output
  }

  private mutating func take(_ piece: borrowing Span<UInt8>, _ output: inout [UInt8]) throws(SigV4Error) {
    guard digest != nil else {
      if release.isImmediate { output.reserveCapacity(piece.count) }
      try chunks?.read(piece, to: &output)
      return
    }
    do { try digest?.update(piece) } catch { throw SigV4Error(error) }
    guard let limit = release.limit else {
      output.append(copying: piece)
      return
    }
    guard held.count + piece.count <= limit else {
      throw .chunkTooLarge(size: held.count + piece.count, limit: limit)
    }
    held.append(copying: piece)
  }

  /// The verdict on the whole body, and what was held until now.
  ///
  /// - Throws: `payloadHashMismatch`, `bodyEndedEarly`, what ``read(_:)-([UInt8])`` threw before, and for a body that no
  ///   header gives the hash of, whatever is wrong with the request.
  public consuming func finish() throws(SigV4Error) -> (
    request: VerifiedRequest<StreamBinding>, rest: [UInt8]
  ) {
    if let fault { throw fault }
    let binding: StreamBinding
    switch check {
    case .hash(let declared):
      let hash = try finishDigest()
      guard ConstantTime.areEqual(declared.span, hash.span) else { throw .payloadHashMismatch }
      binding = StreamBinding(means: .hash(hash), trailers: [:])
    case .undeclared(let verifier, let key):
      let hash = try finishDigest()
      _ = try verifier.verify(pending, key, hash: hash)
      binding = StreamBinding(means: .hash(hash), trailers: [:])
    case .chunks(let mode, _):
      guard chunks?.hasEnded == true else { throw .bodyEndedEarly }
      let trailers = chunks?.foundTrailers ?? [:]
      if mode.algorithm == nil, let algorithm = chunks?.algorithm {
        binding = StreamBinding(means: .unsignedChecksum(algorithm), trailers: trailers)
      } else {
        binding = StreamBinding(means: .chunks(chunks?.chunks ?? 0), trailers: trailers)
      }
    }
    return (VerifiedRequest(pending, binding), held)
  }

  private mutating func finishDigest() throws(SigV4Error) -> [UInt8] {
    do { return try digest?.finish() ?? [] } catch { throw SigV4Error(error) }
  }
}
