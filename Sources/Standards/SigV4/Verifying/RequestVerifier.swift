internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Verifies the requests of a service in two steps: the checks that need no key, and the signature.
///
///     let pending = try verifier.parse(head)                          // form, scope, time, required headers
///     let key = await keys.find(pending.parameters.accessKeyID)       // nil for an unknown access key ID
///     let request = try verifier.verify(pending, key: key, body: body)
///
/// The caller looks up the key between the steps. Pass nil for an unknown access key ID: its verification
/// takes as long as that of a wrong signature. Errors are for the operator; callers get
/// ``SigV4Error/response``.
public struct RequestVerifier: Sendable {
  // A reference, so that a copy of the value is cheap.
  private let parts: Parts

  private final class Parts: Sendable {
    let policy: VerifierPolicy
    let cache: SigningKeyCache
    let replays: (any ReplayGuard)?
    let dummy: Credentials
    let accepted: Accepted

    init(
      _ policy: VerifierPolicy, _ cache: SigningKeyCache, _ replays: (any ReplayGuard)?, _ dummy: Credentials
    ) {
      self.policy = policy
      self.cache = cache
      self.replays = replays
      self.dummy = dummy
      accepted = Accepted(policy, checksReplays: replays != nil)
    }
  }

  /// The members of the policy's sets, so that no request is hashed to look them up.
  struct Accepted: Sendable {
    let headers: Bool
    let query: Bool
    let hmac: Bool
    let ecdsa: Bool
    let hash: Bool
    let host: [UInt8]?
    /// Whether there is a replay guard.
    let checksReplays: Bool
    let skew: Int64
    let limits: RequestLimits

    init(_ policy: VerifierPolicy, checksReplays: Bool) {
      self.checksReplays = checksReplays
      headers = policy.placements.contains(.header)
      query = policy.placements.contains(.query)
      hmac = policy.algorithms.contains(.hmacSHA256)
      ecdsa = policy.algorithms.contains(.ecdsaP256SHA256)
      hash = policy.payloads.contains(.hash)
      host = if case .oneOf(let hosts) = policy.hosts { hosts.first.map { Array($0.text.utf8) } } else { nil }
      skew = policy.skew.wholeSeconds
      limits = policy.limits
    }
  }

  var accepted: Accepted { parts.accepted }

  /// The policy.
  public var policy: VerifierPolicy { parts.policy }
  /// The derived signing keys.
  public var cache: SigningKeyCache { parts.cache }
  /// The guard that refuses repeated requests, or nil.
  public var replays: (any ReplayGuard)? { parts.replays }
  /// Dummy credentials for unknown access key IDs, to keep timing equal.
  var dummy: Credentials { parts.dummy }

  /// Creates a verifier.
  ///
  /// - Parameters:
  ///   - policy: the requirements of the service.
  ///   - replays: the guard that refuses repeated requests. Without it, a request is accepted as often as it
  ///     is sent while its date is valid.
  ///   - cache: the derived signing keys.
  /// - Throws: `scopePart` for the policy's service or region; `randomUnavailable`.
  public init(
    policy: VerifierPolicy, replays: (any ReplayGuard)? = nil, cache: SigningKeyCache = SigningKeyCache()
  ) throws(SigV4Error) {
    try CredentialScope.check(policy.service, "service")
    try CredentialScope.check(policy.region, "region")
    let secret: SecretBytes
    do { secret = try SecretBytes.random(count: 40) } catch { throw .randomUnavailable }
    parts = Parts(policy, cache, replays, try Credentials(accessKeyID: "dummy", secretAccessKey: secret))
  }

  /// The first step: all checks that need no key.
  ///
  /// - Parameters:
  ///   - head: the request.
  ///   - now: the current time.
  /// - Returns: the request, ready to look up a key.
  /// - Throws: the first rule that the request breaks.
  public func parse(_ head: RequestHead, at now: Timestamp = .now) throws(SigV4Error) -> PendingRequest {
    let now = now.signingSecond
    let request = try UnverifiedRequest(head, limits: accepted.limits)
    try check(request, at: now)
    let instant = accepted.checksReplays ? PendingRequest.Instant() : nil
    return PendingRequest(request: request, now: now, skew: accepted.skew, parsed: instant)
  }

  /// The second step, for a whole body.
  ///
  /// - Parameters:
  ///   - pending: the request.
  ///   - key: the key of the request's access key ID; nil for an unknown ID.
  ///   - body: the body.
  /// - Returns: the verified request.
  /// - Throws: `signatureMismatch`, `accessKeyUnknown`, `payloadHashMismatch`, `checksumMismatch` for a
  ///   checksum in a header of S3, `replayed`; with a replay guard `requestExpired` and `presignedExpired` for a request that has expired since `parse(_:at:)`;
  ///   `payloadNotBound` when the signature does not cover the body's hash.
  public func verify(
    _ pending: PendingRequest, key: VerificationKey?, body: [UInt8]
  ) throws(SigV4Error) -> VerifiedRequest<HashBinding> {
    let hash = try SigV4Error.hash(body.span)
    return try verify(pending, key, hash: hash, body)
  }

  func verify(
    _ pending: PendingRequest, _ key: VerificationKey?, hash: [UInt8], _ body: [UInt8]? = nil
  ) throws(SigV4Error) -> VerifiedRequest<HashBinding> {
    let checked: CheckedSignature
    switch payload(pending) {
    case .mode: throw .payloadNotBound
    case .sha256(let declared):
      checked = try checkSignature(pending, key, payload: .sha256(declared))
      guard ConstantTime.areEqual(declared.span, hash.span) else { throw .payloadHashMismatch }
    case nil: checked = try checkSignature(pending, key, payload: .sha256(hash))
    }
    if let body { try HeaderChecksums.check(pending.request, policy, body.span) }
    // Last, so that an attacker cannot use up a request by sending it with another body.
    try checkReplay(checked, pending)
    return VerifiedRequest(pending, signing: checked.text, body: [], HashBinding(sha256: hash))
  }

  /// The second step for a body that the service ignores or checks itself: verifies the signature of the head
  /// alone. Checksums of the body in headers are not compared: use ``verifyBody(_:key:release:)`` for them.
  ///
  /// - Parameters:
  ///   - pending: the request.
  ///   - key: the key of the request's access key ID; nil for an unknown ID.
  ///   - reason: why the body is not checked; stored in the request's ``NoBinding``.
  ///   - assumesNoBody: true where a signature that covers the body's own hash must be one of a request without a body. Then
  ///     nothing may be read of a body, unless its hash is compared. Default: false.
  /// - Returns: the verified request.
  /// - Throws: as ``verify(_:key:body:)``; `payloadHashMissing` when the signature cannot be checked without
  ///   the body.
  public func verifyLeavingBodyUnchecked(
    _ pending: PendingRequest, key: VerificationKey?, because reason: String,
    assumingNoBody assumesNoBody: Bool = false
  ) throws(SigV4Error) -> VerifiedRequest<NoBinding> {
    let declared: UnverifiedRequest.DeclaredPayload
    if let found = payload(pending) {
      declared = found
    } else {
      guard assumesNoBody else { throw .payloadHashMissing }
      declared = .sha256(try SigV4Error.hash([UInt8]().span))
    }
    let checked = try checkSignature(pending, key, payload: declared)
    try checkReplay(checked, pending)
    let body: [UInt8]? = if case .sha256 = declared { [] } else { nil }
    return VerifiedRequest(pending, signing: checked.text, body: body, NoBinding(reason: reason, declared))
  }

  /// The second step for a body that arrives in pieces. Verifies the signature of the head at once, unless it
  /// depends on the body's hash and no header has it.
  ///
  /// A body of `UNSIGNED-PAYLOAD`, and of a presigned URL of S3 without a hash, is verified by a checksum in a
  /// signed header, `x-amz-checksum-sha256` for example.
  ///
  /// - Parameters:
  ///   - pending: the request.
  ///   - key: the key of the request's access key ID; nil for an unknown ID.
  ///   - release: when the body's bytes are returned.
  /// - Returns: the verifier of the body.
  /// - Throws: as ``verify(_:key:body:)``; `payloadNotBound` when the signature covers neither a hash nor a
  ///   checksum of the body.
  public func verifyBody(
    _ pending: PendingRequest, key: VerificationKey?, release: BodyRelease = .whenVerified()
  ) throws(SigV4Error) -> BodyVerifier {
    try verifyBody(pending, key: key, release: release, remembersAtEnd: false)
  }

  /// The second step for a body that arrives in pieces.
  ///
  /// - Parameters:
  ///   - pending: the request.
  ///   - key: the key of the request's access key ID; nil for an unknown ID.
  ///   - release: when the body's bytes are returned.
  ///   - remembersAtEnd: whether a request with the hash in a header counts as used when its body was verified, and not before, so
  ///     that an attacker cannot use it up by sending it with another body. For a caller that does nothing before.
  /// - Returns: the verifier of the body.
  /// - Throws: as ``verifyBody(_:key:release:)``.
  package func verifyBody(
    _ pending: PendingRequest, key: VerificationKey?, release: BodyRelease, remembersAtEnd: Bool
  ) throws(SigV4Error) -> BodyVerifier {
    switch payload(pending) {
    case nil:
      return try BodyVerifier(pending, policy, .undeclared(verifier: self, key: key), release)
    case .sha256(let hash)?:
      let checked = try checkSignature(pending, key, payload: .sha256(hash))
      if !remembersAtEnd { try checkReplay(checked, pending) }
      return try BodyVerifier(
        pending, policy, .hash(hash, checked, rememberedBy: remembersAtEnd ? self : nil), release)
    case .mode(.unsigned)?:
      guard let algorithm = try HeaderChecksums.declared(by: pending.request, policy)?.signed else {
        throw .payloadNotBound
      }
      let checked = try checkSignature(pending, key, payload: .mode(.unsigned))
      try checkReplay(checked, pending)
      return try BodyVerifier(pending, policy, .checksum(algorithm, signing: checked.text), release)
    case .mode(let mode)?:
      guard mode.isChunked else { throw .payloadNotBound }
      let checked = try checkSignature(pending, key, payload: .mode(mode))
      try checkReplay(checked, pending)
      return try BodyVerifier(pending, policy, .chunks(mode, checked), release)
    }
  }

  /// The second step for a body of signed events.
  ///
  /// - Parameters:
  ///   - pending: the request.
  ///   - key: the key of the request's access key ID; nil for an unknown ID.
  /// - Returns: the verifier of the events.
  /// - Throws: as ``verify(_:key:body:)``.
  public func verifyEvents(
    _ pending: PendingRequest, key: VerificationKey?
  ) throws(SigV4Error) -> EventVerifier {
    guard case .mode(let mode)? = payload(pending), mode == .events || mode == .ecdsaEvents else {
      throw .payloadNotBound
    }
    let checked = try checkSignature(pending, key, payload: .mode(mode))
    try checkReplay(checked, pending)
    return EventVerifier(
      VerifiedRequest(pending, signing: checked.text, body: nil, EventBinding()), key: checked.key,
      skew: accepted.skew)
  }
}
