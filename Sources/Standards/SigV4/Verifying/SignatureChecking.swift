internal import TokenSecurityBase

/// The checks of the second step, shared by verification and explanation.
extension RequestVerifier {
  /// The payload in the last line of the canonical request; nil for the body's own hash.
  func payload(_ pending: PendingRequest) -> UnverifiedRequest.DeclaredPayload? {
    if let declared = pending.request.declaredPayload { return declared }
    guard policy.form == .s3, pending.parameters.placement == .query else { return nil }
    return .mode(.unsigned)
  }

  /// A verified signature of a head.
  struct CheckedSignature {
    /// The key, for the signatures in the body.
    let key: CheckingKey
    /// The string to sign.
    let text: [UInt8]
  }

  func checkSignature(
    _ pending: PendingRequest, _ key: VerificationKey?, payload: UnverifiedRequest.DeclaredPayload
  ) throws(SigV4Error) -> CheckedSignature {
    let parameters = pending.parameters
    let checking = try checkingKey(
      key, algorithm: parameters.algorithm, parameters.credential, date: parameters.date)
    // The key has the request's scope, and its text prepared.
    let scope: [UInt8] =
      if case .hmac(let key) = checking { key.scopeBytes } else { parameters.credential.scopeBytes }
    let text = try pending.stringToSign(pending.canonicalRequest(policy, payload: payload), scope: scope)
    let matches = try checking.check(parameters.signature, over: text.span)
    let id = parameters.accessKeyID
    guard let key else { throw Self.unknown(id, sentToken: parameters.sentToken) }
    guard matches else { throw .signatureMismatch }
    try Self.checkToken(parameters.sentToken, key, at: pending.now)
    return CheckedSignature(key: checking, text: text)
  }

  /// The error for an unknown access key ID. A temporary one with an empty token cannot be looked up.
  static func unknown(_ accessKeyID: String, sentToken: String?) -> SigV4Error {
    sentToken?.isEmpty == true && Credentials.isTemporary(accessKeyID)
      ? .sessionTokenEmpty : .accessKeyUnknown(accessKeyID)
  }

  /// Checks session token and expiration. Called after the signature matched, so that only a holder of the
  /// secret learns about them.
  static func checkToken(
    _ sentToken: String?, _ key: VerificationKey, at now: Timestamp
  ) throws(SigV4Error) {
    guard case .credentials(let credentials) = key else {
      // Such a key does not say whether its access key is a long-term one.
      if sentToken?.isEmpty == true { throw .sessionTokenEmpty }
      return
    }
    try credentials.check(sentToken: sentToken)
    try credentials.check(at: now)
  }

  func checkReplay(_ checked: CheckedSignature, _ pending: PendingRequest) throws(SigV4Error) {
    guard let replays else { return }
    let (end, now) = (pending.end, pending.present)
    // The body may have arrived slowly. The guard removes an expired request, which would then be new.
    guard now <= end else {
      let parameters = pending.parameters
      throw parameters.expiresSeconds == nil
        ? .requestExpired(date: parameters.date, now: now) : .presignedExpired(at: end, now: now)
    }
    let identity = pending.identity(signing: checked.text)
    guard replays.insert(identity, placement: pending.parameters.placement, until: end, at: now)
    else { throw .replayed }
  }

  func checkingKey(
    _ key: VerificationKey?, algorithm: SigningAlgorithm, _ credential: CredentialParameter, date: Timestamp
  ) throws(SigV4Error) -> CheckingKey {
    switch (algorithm, key) {
    case (_, nil): return try derived(dummy, algorithm, credential, date)
    case (_, .credentials(let credentials)):
      guard credential.hasAccessKeyID(credentials.accessKeyID) else {
        throw .accessKeyUnknown(credential.accessKeyID)
      }
      return try derived(credentials, algorithm, credential, date)
    case (.hmacSHA256, .scoped(let key)):
      guard credential.isEqual(key.credentialBytes) else {
        throw .signingKeyScope(actual: key.scope, expected: credential.scope)
      }
      return .hmac(key)
    case (.ecdsaP256SHA256, .publicKey(let key)): return .ecdsa(key)
    case (.hmacSHA256, .publicKey), (.ecdsaP256SHA256, .scoped): throw .keyAlgorithm(algorithm)
    }
  }

  private func derived(
    _ credentials: Credentials, _ algorithm: SigningAlgorithm, _ credential: CredentialParameter,
    _ date: Timestamp
  ) throws(SigV4Error) -> CheckingKey {
    switch algorithm {
    case .hmacSHA256:
      return .hmac(
        try cache.hmacKey(
          credentials, date: date, region: credential.region(usually: policy.region),
          service: credential.service(usually: policy.service)))
    case .ecdsaP256SHA256: return .ecdsa(try cache.ecdsaKey(credentials).publicKey)
    }
  }
}
