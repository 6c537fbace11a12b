internal import OpenIDConnect
internal import TokenLifetime
internal import TokenSecurityBase

/// Issues the pools' OpenID tokens and verifies them.
struct IdentityTokens: Sendable {
  let ring: IdentityKeyRing
  /// `iss` of all tokens.
  let issuer: String
  let account: String

  /// Issues a token for an identity. `methods` has a provider and an `amr` element for each login; none for a
  /// guest.
  func issue(
    _ identity: String, of pool: IdentityPool, methods: [(provider: String, amr: String)],
    tags: NameMap<String> = [:], duration: TokenDuration, at now: Timestamp
  ) throws(IdentityError) -> String {
    var claims = JSONObject()
    claims["sub"] = .string(identity)
    claims["aud"] = .string(pool.id)
    claims["amr"] = .array(
      (methods.isEmpty ? ["unauthenticated"] : ["authenticated"] + methods.flatMap { [$0.provider, $0.amr] })
        .map(JSONValue.string))
    claims["iss"] = .string(issuer)
    claims["https://cognito-identity.amazonaws.com/identity-pool-arn"] = .string(pool.arn(account: account))
    if !tags.isEmpty {
      var values = JSONObject()
      for (key, value) in tags { values[key] = .array([.string(value)]) }
      claims[Self.tagsClaim] = .object(["principal_tags": .object(values)])
    }
    claims["iat"] = .number(JSONNumber(now.seconds))
    claims["exp"] = .number(JSONNumber(now.seconds.saturatingSum(duration.duration.wholeSeconds)))
    let signer = try ring.signer(at: now)
    do { return try signer.sign(TokenClaims(claims)) } catch { throw IdentityError(error) }
  }

  /// A verified token.
  struct Verified: Sendable {
    let identityID: String
    let poolID: String
    /// The claim `amr`.
    let methods: [String]
    let logins: CognitoLogins
    /// The session tags in the token.
    let tags: NameMap<String>
  }

  /// Verifies a token of `poolID`, with the keys that are published now.
  ///
  /// - Throws: `webIdentityRefused`.
  func verify(
    _ token: String, poolID: String, acceptsGuests: Bool, at now: Timestamp
  ) async throws(IdentityError) -> Verified {
    var result = verify(token, poolID, acceptsGuests, keys: try ring.verifying(), at: now)
    if case .failure(.token(.keyNotFound)) = result {
      // Another process may have published the key.
      try await ring.loadUnknownKeys()
      result = verify(token, poolID, acceptsGuests, keys: try ring.verifying(), at: now)
    }
    // Another process may have revoked the key.
    if case .success((_, let keyID)) = result, try await !ring.isPublished(keyID) {
      result = .failure(.token(.keyNotFound(kid: keyID, algorithm: .rs512)))
    }
    switch result {
    case .success((let verified, _)): return verified
    case .failure(let error):
      throw .webIdentityRefused(
        code: error.codeText, reason: "\(error)",
        isExpired: error.codeText == JOSEError.Code.expired.rawValue)
    }
  }

  private func verify(
    _ token: String, _ poolID: String, _ acceptsGuests: Bool, keys: PreparedKeys, at now: Timestamp
  ) -> Result<(Verified, keyID: String), OpenIDError> {
    do throws(OpenIDError) {
      let pool = try CognitoIdentityPool(poolID)
      var policy = CognitoIdentityPoolRules(pool: pool, acceptsGuests: acceptsGuests).policy
      policy.issuer = .exactly(issuer)
      policy.leeway = .clockDifference
      let verified: VerifiedToken
      do throws(JOSEError) {
        let verifier = try PolicyVerifier(policy)
        verified = try verifier.verify(verifier.parse(token), keys: keys, at: now)
        // The leeway is for issuers whose clock is ahead. No token lives longer for it.
        if let end = verified.claims.expiration, end <= now { throw .expired(at: end, now: now) }
      } catch {
        throw .token(error)
      }
      let token = Verified(
        identityID: verified.claims.subject ?? "", poolID: poolID,
        methods: verified.claims["amr"]?.strings ?? [], logins: try CognitoLogins(verified),
        tags: Self.tags(verified.claims))
      return .success((token, verified.keyID ?? ""))
    } catch {
      return .failure(error)
    }
  }

  /// The pool id in a token's `aud`, unverified; nil where it does not have the form of a pool id.
  static func claimedPool(_ token: String) -> String? {
    guard let pool = (try? UnverifiedToken(token))?.claims.audience?.first,
      TextBounds.identityID.allows(pool)
    else { return nil }
    return pool
  }

  private static func tags(_ claims: TokenClaims) -> NameMap<String> {
    var tags: NameMap<String> = [:]
    for member in claims[tagsClaim]?.object?["principal_tags"]?.object?.members ?? [] {
      tags[member.name] = member.value.strings?.first
    }
    return tags
  }

  private static let tagsClaim = "https://aws.amazon.com/tags"
}
