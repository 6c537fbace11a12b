internal import TokenSecurityBase

/// Verifies signed tokens (RFC 7519 section 7.2) with a set of keys and a policy.
///
///     let verifier = try TokenVerifier(
///       keys: JWKSet(json: text),
///       policy: TokenPolicy(issuer: "https://issuer.example", audience: "my-api"))
///     let token = try verifier.verify(compact)
///
/// Make one verifier and keep it: it prepares each key once. Verification is synchronous. Any number of
/// threads can share a verifier without waiting for one another.
public struct TokenVerifier: Sendable {
  /// The policy.
  public var policy: TokenPolicy { verifier.policy }

  private let verifier: PolicyVerifier
  private let keys: PreparedKeys
  private let headers = KnownHeaders()
  private let cached: TokenCacheSection?

  /// Prepares `keys` and `policy`.
  ///
  /// - Parameters:
  ///   - keys: the issuer's keys.
  ///   - policy: what tokens must be like.
  ///   - cache: where verified tokens are stored, for tokens that come many times. Default: none.
  /// - Throws: `policyInvalid` for a policy that contradicts itself, `library` if libcrypto refuses a key.
  public init(
    keys: JWKSet, policy: TokenPolicy, cache: VerifiedTokenCache? = nil
  ) throws(JOSEError) {
    verifier = try PolicyVerifier(policy)
    self.keys = try PreparedKeys(keys, rules: policy.signature)
    cached = cache.map(TokenCacheSection.init)
  }

  /// Verifies a compact token.
  ///
  /// - Parameters:
  ///   - compact: the token: three parts, nothing around them.
  ///   - now: the time of the verification. Default: the current time.
  /// - Returns: the verified token.
  /// - Throws: the first rule that the token breaks, in the order form, header, key, signature, claims.
  public func verify(_ compact: String, at now: NumericDate = .now) throws(JOSEError) -> VerifiedToken {
    if let cached { return try verify(compact, cached, at: now) }
    return try verifyAnew(compact, at: now)
  }

  /// Verifies a token that is in no cache.
  @inline(__always)
  private func verifyAnew(_ compact: String, at now: NumericDate) throws(JOSEError) -> VerifiedToken {
    let known = try headers.withHeader(of: compact) { (header: KnownHeader) throws(JOSEError) in
      try verifier.verify(compact, header, keys: keys, at: now)
    }
    if let known { return known }
    let token = try verify(verifier.parse(compact), at: now)
    if headers.hasRoom, let header = verifier.knownHeader(of: token, keys: keys) {
      headers.insert(header, of: compact)
    }
    return token
  }

  @inline(never)
  private func verify(
    _ compact: String, _ cached: TokenCacheSection, at now: NumericDate
  ) throws(JOSEError) -> VerifiedToken {
    if let found = cached.find(compact), let token = try verifier.verify(found, keys: keys, at: now) {
      return token
    }
    return try cached.store(keys: keys) { () throws(JOSEError) in try verifyAnew(compact, at: now) }
  }

  /// Verifies a parsed token. A cache is not used: it saves the parsing too.
  ///
  /// - Parameters:
  ///   - token: the token.
  ///   - now: the time of the verification. Default: the current time.
  /// - Returns: the verified token.
  /// - Throws: the first rule that the token breaks, in the order size, header, key, signature, claims.
  public func verify(_ token: UnverifiedToken, at now: NumericDate = .now) throws(JOSEError) -> VerifiedToken
  {
    try verifier.verify(token, keys: keys, at: now)
  }

  /// Verifies a compact token and reports every check: expected value, actual value, outcome.
  ///
  /// The result is the same as of `verify`, by the same rules in the same order. If the signature is valid,
  /// all claims are checked, so that all problems are visible at once.
  ///
  /// - Parameters:
  ///   - compact: the token.
  ///   - now: the time of the verification. Default: the current time.
  /// - Returns: the checks and the result.
  public func explain(_ compact: String, at now: NumericDate = .now) -> Explanation {
    verifier.explain(compact, keys: keys, at: now)
  }
}
