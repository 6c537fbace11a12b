internal import TokenSecurityEncodings
internal import OpenIDConnect
internal import TokenLifetime

/// Issues the pools' OpenID tokens, and judges those that come back.
struct IdentityTokens: Sendable {
  let ring: SigningKeyRing
  /// `iss` of all tokens.
  let issuer: String
  let account: String

  /// A token for an identity.
  ///
  /// - Parameters:
  ///   - logins: providers and how the token tells who the user is there; none for a guest.
  ///   - lifetime: whole seconds, checked by `LifetimeRule.developerToken`.
  func issue(
    _ identity: String, of pool: IdentityPool, logins: [(provider: String, amr: String)],
    tags: NameMap<String> = [:], lifetime: Duration?, at now: NumericDate
  ) throws(IdentityError) -> String {
    var claims = JSONObject()
    claims["sub"] = .string(identity)
    claims["aud"] = .string(pool.id)
    claims["amr"] = .array(
      (logins.isEmpty ? ["unauthenticated"] : ["authenticated"] + logins.flatMap { [$0.provider, $0.amr] })
        .map(JSONValue.string))
    claims["iss"] = .string(issuer)
    claims["https://cognito-identity.amazonaws.com/identity-pool-arn"] = .string(pool.arn(account: account))
    if !tags.isEmpty {
      var values = JSONObject()
      for (key, value) in tags { values[key] = .array([.string(value)]) }
      claims[Self.tagsClaim] = .object(.member("principal_tags", .object(values)))
    }
    let signer = try ring.signer(at: now)
    do {
      return try signer.issue(TokenClaims(claims), lifetime: lifetime, at: now)
    } catch {
      if case .lifetimeRefused(let refusal) = error { throw .duration(refusal) }
      throw IdentityError(error)
    }
  }

  /// A token of ours that holds.
  struct Judged: Sendable {
    let identityID: String
    let poolID: String
    /// `amr` as it stands.
    let methods: [String]
    let logins: CognitoLogins
    /// The session's tags that the token carries.
    let tags: NameMap<String>
  }

  /// Judges a token of `poolID`.
  ///
  /// - Throws: `webIdentityRefused`.
  func judge(_ token: String, poolID: String, acceptsGuests: Bool, at now: NumericDate) throws(IdentityError)
    -> Judged
  {
    let keys = try ring.verifying()
    do throws(OpenIDError) {
      let pool = try CognitoIdentityPool(poolID)
      var policy = CognitoIdentityPoolRules(pool: pool, acceptsGuests: acceptsGuests).policy
      policy.issuer = .exactly(issuer)
      let verified: VerifiedToken
      do throws(JOSEError) {
        let verifier = try PolicyVerifier(policy)
        verified = try verifier.verify(verifier.parse(token), keys: keys, at: now)
      } catch {
        throw .token(error)
      }
      return Judged(
        identityID: verified.claims.subject ?? "", poolID: poolID,
        methods: verified.claims["amr"]?.strings ?? [], logins: try CognitoLogins(verified),
        tags: Self.tags(verified.claims))
    } catch {
      throw .webIdentityRefused(
        code: error.codeText, reason: "\(error)",
        isExpired: error.codeText == JOSEError.Code.expired.rawValue
      )
    }
  }

  /// The pool that a token names, if it has the form of a pool's id. Nothing is proved by it.
  static func claimedPool(_ token: String) -> String? {
    guard let pool = (try? UnverifiedToken(token))?.claims.audience?.first,
      Bounds.poolOrIdentityID.admits(pool)
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
