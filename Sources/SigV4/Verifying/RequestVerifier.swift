internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import TokenLifetime

/// Verifies the requests that reach a service, in two steps: what can be said without a key, and the signature.
///
///     let pending = try verifier.parse(head)                          // form, scope, time, required headers
///     let key = await keys.find(pending.parameters.accessKeyID)       // nil where nobody has that id
///     let request = try verifier.verify(pending, key: key, body: body)
///
/// Between them a key can be looked up, wherever it is. An id that nobody has is passed on as nil, and takes the time
/// of a wrong signature. The errors are for the operator; callers get ``SigV4Error/response``.
public struct RequestVerifier: Sendable {
  // Shared: a verifier goes from task to task.
  private let parts: Parts

  private final class Parts: Sendable {
    let policy: VerifierPolicy
    let cache: SigningKeyCache
    let replays: (any ReplayGuard)?
    let nobody: Credentials
    let accepted: Accepted

    init(
      _ policy: VerifierPolicy, _ cache: SigningKeyCache, _ replays: (any ReplayGuard)?, _ nobody: Credentials
    ) {
      self.policy = policy
      self.cache = cache
      self.replays = replays
      self.nobody = nobody
      accepted = Accepted(policy)
    }
  }

  /// What the policy's sets have in them, found without hashing.
  struct Accepted: Sendable {
    let headers: Bool
    let query: Bool
    let hmac: Bool
    let ecdsa: Bool
    let hash: Bool
    let host: String?
    let skew: Int64

    init(_ policy: VerifierPolicy) {
      headers = policy.placements.contains(.header)
      query = policy.placements.contains(.query)
      hmac = policy.algorithms.contains(.hmacSHA256)
      ecdsa = policy.algorithms.contains(.ecdsaP256SHA256)
      hash = policy.payloads.contains(.hash)
      host = if case .oneOf(let hosts) = policy.hosts { hosts.first?.text } else { nil }
      skew = policy.skew.wholeSeconds
    }
  }

  var accepted: Accepted { parts.accepted }

  /// What is demanded.
  public var policy: VerifierPolicy { parts.policy }
  /// The keys that were derived.
  public var cache: SigningKeyCache { parts.cache }
  /// What refuses a request that came before; nil where nothing does.
  public var replays: (any ReplayGuard)? { parts.replays }
  /// Whose key is tried where nobody has an id, so that it takes as long.
  private var nobody: Credentials { parts.nobody }

  /// A verifier; without a guard, a request that is sent twice within the skew is taken twice.
  ///
  /// - Throws: `scopePart`; `randomUnavailable` where the system has no random numbers to give.
  public init(
    policy: VerifierPolicy, replays: (any ReplayGuard)? = nil, cache: SigningKeyCache = SigningKeyCache()
  ) throws(SigV4Error) {
    try CredentialScope.check(policy.service, "service")
    try CredentialScope.check(policy.region, "region")
    let secret: SecretBytes
    do { secret = try SecretBytes.random(count: 40) } catch { throw .randomUnavailable }
    parts = Parts(policy, cache, replays, try Credentials(accessKeyID: "nobody", secretAccessKey: secret))
  }

  /// The first step: everything that needs no key. A request that fails it is not worth looking a key up for.
  public func parse(_ head: RequestHead, at now: Timestamp = .now) throws(SigV4Error) -> PendingRequest {
    let now = now.signingSecond
    let request = try UnverifiedRequest(head, limits: policy.limits)
    try judge(request, at: now)
    return PendingRequest(request: request, now: now, parsed: replays == nil ? nil : .now)
  }

  /// The second step, for a body that is there as a whole.
  ///
  /// `key`: what belongs to the request's access key; nil where there is no such id.
  /// - Throws: `signatureMismatch`, `accessKeyUnknown`, `payloadHashMismatch`, `replayed`, with a replay guard
  ///   `requestExpired` and `presignedExpired` for a request that has expired since ``parse(_:at:)``, and
  ///   `payloadNotBound` for a request whose signature says nothing of its body or is for a stream.
  public func verify(
    _ pending: PendingRequest, key: VerificationKey?, body: [UInt8]
  ) throws(SigV4Error) -> VerifiedRequest<HashBinding> {
    let hash = try SigV4Error.hash(body.span)
    return try verify(pending, key, hash: hash)
  }

  func verify(
    _ pending: PendingRequest, _ key: VerificationKey?, hash: [UInt8]
  ) throws(SigV4Error) -> VerifiedRequest<HashBinding> {
    let held: Held
    switch payload(pending) {
    case .mode: throw .payloadNotBound
    case .sha256(let declared):
      held = try checkSignature(pending, key, payload: .sha256(declared))
      guard ConstantTime.areEqual(declared.span, hash.span) else { throw .payloadHashMismatch }
    case nil: held = try checkSignature(pending, key, payload: .sha256(hash))
    }
    // Last, so that nobody can use a request up by sending it with another body.
    try admit(held, pending)
    return VerifiedRequest(pending, HashBinding(sha256: hash))
  }

  /// The second step for a body that the service does not look at, or checks by means of its own: the signature over
  /// the head alone. The reason stays with the request.
  ///
  /// - Throws: also `payloadHashMissing` where the signature cannot be checked without the body.
  public func verifyLeavingBodyUnchecked(
    _ pending: PendingRequest, key: VerificationKey?, because reason: String
  ) throws(SigV4Error) -> VerifiedRequest<NoBinding> {
    guard let declared = payload(pending) else { throw .payloadHashMissing }
    try admit(checkSignature(pending, key, payload: declared), pending)
    return VerifiedRequest(pending, NoBinding(reason: reason))
  }

  /// The second step for a body that comes in pieces. The signature over the head is checked at once, unless it
  /// needs the body's hash that no header gives.
  ///
  /// `release`: when the body's bytes are handed on.
  public func verifyBody(
    _ pending: PendingRequest, key: VerificationKey?, release: BodyRelease = .whenVerified()
  ) throws(SigV4Error) -> BodyVerifier {
    switch payload(pending) {
    case nil:
      return try BodyVerifier(pending, .undeclared(verifier: self, key: key), release)
    case .sha256(let hash)?:
      try admit(checkSignature(pending, key, payload: .sha256(hash)), pending)
      return try BodyVerifier(pending, .hash(hash), release)
    case .mode(let mode)?:
      guard mode.isChunked else { throw .payloadNotBound }
      let held = try checkSignature(pending, key, payload: .mode(mode))
      try admit(held, pending)
      return try BodyVerifier(pending, .chunks(mode, held.key), release)
    }
  }

  /// The second step for a body of signed events.
  public func verifyEvents(
    _ pending: PendingRequest, key: VerificationKey?
  ) throws(SigV4Error) -> EventVerifier {
    guard case .mode(let mode)? = payload(pending), mode == .events || mode == .ecdsaEvents else {
      throw .payloadNotBound
    }
    let held = try checkSignature(pending, key, payload: .mode(mode))
    try admit(held, pending)
    return EventVerifier(VerifiedRequest(pending, EventBinding()), key: held.key, skew: accepted.skew)
  }

  /// What the last line of the canonical request is made of; nil for the body's own hash.
  func payload(_ pending: PendingRequest) -> UnverifiedRequest.DeclaredPayload? {
    if let declared = pending.request.declaredPayload { return declared }
    guard policy.form == .s3, pending.parameters.placement == .query else { return nil }
    return .mode(.unsigned)
  }

  /// A signature over a head that holds.
  struct Held {
    /// For what follows in the body.
    let key: CheckingKey
    /// What the request is remembered by. Not the signature: of one of ECDSA anyone can make a second that holds.
    let name: [UInt8]
  }

  func checkSignature(
    _ pending: PendingRequest, _ key: VerificationKey?, payload: UnverifiedRequest.DeclaredPayload
  ) throws(SigV4Error) -> Held {
    let parameters = pending.parameters
    let checking = try checkingKey(
      key, algorithm: parameters.algorithm, accessKeyID: parameters.accessKeyID, scope: parameters.scope,
      date: parameters.date)
    // The key is for the request's scope, and has it as it is written.
    let scope: [UInt8] = if case .hmac(let key) = checking { key.scopeBytes } else { parameters.scope.bytes }
    let text = try pending.stringToSign(pending.canonicalRequest(policy, payload: payload), scope: scope)
    let holds = try checking.check(parameters.signature, over: text.span)
    guard key != nil else { throw .accessKeyUnknown(parameters.accessKeyID) }
    guard holds else { throw .signatureMismatch }
    // What else is wrong with them is for those to know who can sign with them.
    if case .credentials(let credentials)? = key {
      try credentials.check(sentToken: parameters.sessionToken)
      try credentials.check(at: pending.now)
    }
    return Held(
      key: checking, name: replays == nil ? [] : Array(pending.parameters.accessKeyID.utf8) + [0x0A] + text)
  }

  func admit(_ held: Held, _ pending: PendingRequest) throws(SigV4Error) {
    guard let replays else { return }
    let (end, now) = (pending.end(accepted.skew), pending.present)
    // The body may have come slowly. After its end a request is forgotten, and would be new.
    guard now <= end else {
      let parameters = pending.parameters
      throw parameters.expiresSeconds == nil
        ? .requestExpired(date: parameters.date, now: now) : .presignedExpired(at: end, now: now)
    }
    guard replays.insert(held.name, placement: pending.parameters.placement, until: end, at: now)
    else { throw .replayed }
  }

  func checkingKey(
    _ key: VerificationKey?, algorithm: SigningAlgorithm, accessKeyID: String, scope: CredentialScope,
    date: Timestamp
  ) throws(SigV4Error) -> CheckingKey {
    switch (algorithm, key) {
    case (_, nil): return try derived(nobody, algorithm, scope, date)
    case (_, .credentials(let credentials)):
      guard credentials.accessKeyID == accessKeyID else { throw .accessKeyUnknown(accessKeyID) }
      return try derived(credentials, algorithm, scope, date)
    case (.hmacSHA256, .scoped(let key)):
      guard key.scope == scope, key.accessKeyID == accessKeyID else {
        throw .signingKeyScope(actual: key.scope, expected: scope)
      }
      return .hmac(key)
    case (.ecdsaP256SHA256, .publicKey(let key)): return .ecdsa(key)
    case (.hmacSHA256, .publicKey), (.ecdsaP256SHA256, .scoped): throw .keyAlgorithm(algorithm)
    }
  }

  private func derived(
    _ credentials: Credentials, _ algorithm: SigningAlgorithm, _ scope: CredentialScope, _ date: Timestamp
  ) throws(SigV4Error) -> CheckingKey {
    switch algorithm {
    case .hmacSHA256:
      return .hmac(
        try cache.hmacKey(
          credentials, date: date, region: scope.region ?? policy.region, service: scope.service))
    case .ecdsaP256SHA256: return .ecdsa(try cache.ecdsaKey(credentials).publicKey)
    }
  }
}
