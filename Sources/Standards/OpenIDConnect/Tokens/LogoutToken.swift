public import JOSE
internal import TokenLifetime

/// A verified logout token (OpenID Connect Back-Channel Logout 1.0): a user has signed out.
public struct LogoutToken: Sendable, Hashable {
  /// The token.
  public let token: VerifiedToken
  /// The user who signed out (`sub`), if the token has it.
  public var subject: String? { token.claims.subject }
  /// The session that ended (`sid`). Nil: all sessions of the user.
  public var sessionID: String? { token.claims["sid"]?.string }

  /// The member of `events` that makes a token a logout token (section 2.4).
  static let event = "http://schemas.openid.net/event/backchannel-logout"

  /// Reads a verified token. Throws `token` with the code `events_invalid` if it is not a logout token.
  public init(_ token: VerifiedToken) throws(OpenIDError) {
    guard token.claims["events"]?.object?[Self.event]?.object != nil else {
      throw ClaimError.eventsInvalid.error
    }
    self.token = token
  }
}

/// Rules for logout tokens (section 2.6).
public struct LogoutTokenRules: Sendable {
  /// The accepted issuers.
  public var issuers: [String]
  /// Your client ids.
  public var clientIDs: [String]
  /// The accepted algorithms. Default: all asymmetric ones.
  public var algorithms: Set<Algorithm>
  /// The longest accepted lifetime. Default: 2 minutes, which section 4 recommends.
  public var maximumLifetime: Limit
  /// The accepted clock difference for `exp`, `nbf` and `iat`, 0 to 300 seconds. Default: nil, the defaults
  /// of `TokenPolicy`.
  public var leeway: Duration?
  /// Returns true if a token is new; false refuses it. Called for tokens that passed all other checks, with
  /// the last instant at which the token is accepted and the current time. The name is `logout:` and a digest
  /// of issuer and `jti`, so one cache can serve several issuers and kinds of tokens.
  public var isNew: @Sendable (_ name: String, _ until: NumericDate, _ now: NumericDate) -> Bool

  /// Rules with default values.
  ///
  /// - Parameters:
  ///   - issuers: the accepted issuers.
  ///   - clientIDs: your client ids.
  ///   - isNew: returns true if a token is new. ``TokenReplayCache/insert(_:until:at:)`` does this for one
  ///     process.
  public init(
    issuers: [String], clientIDs: [String],
    isNew: @escaping @Sendable (_ name: String, _ until: NumericDate, _ now: NumericDate) -> Bool
  ) {
    self.issuers = issuers
    self.clientIDs = clientIDs
    self.isNew = isNew
    algorithms = Algorithm.asymmetric
    maximumLifetime = .seconds(120)
  }

  /// The rules as a policy.
  public var policy: TokenPolicy {
    var policy = TokenPolicy(
      issuer: .oneOf(issuers), audience: .oneOf(clientIDs), algorithms: algorithms)
    policy.maximumLifetime = maximumLifetime
    if let leeway { policy.leeway = leeway }
    policy.requiredClaims = ["iss", "iat", "jti"]
    policy.checks = [TokenKind.logoutToken.check(), Self.events, Self.subject, Self.nonce, replay]
    return policy
  }

  private var replay: TokenCheck {
    let isNew = self.isNew
    let leeway = (self.leeway ?? .zero).wholeSeconds
    return TokenCheck(
      "jti", reference: "OpenID Connect Back-Channel Logout section 2.6", expected: "not used before",
      hasEffects: true,
      refusal: { claims, _, now in
        let name = ReplayName.make(claims.tokenID ?? "", of: claims.issuer ?? "", kind: "logout")
        // The name is stored until these rules refuse the token. Without this check, a policy that was
        // changed to accept it for longer would accept it a second time.
        guard let expiration = claims.expiration else { return JOSEError.claimMissing(name: "exp").refusal }
        let end = expiration.advanced(bySeconds: leeway)
        guard now < end else { return JOSEError.expired(at: expiration, now: now).refusal }
        return isNew(name, end, now) ? nil : ClaimError.replayed.refusal
      })
  }

  private static let events = TokenCheck(
    "events", reference: "OpenID Connect Back-Channel Logout section 2.4", expected: "that of a logout",
    refusal: { claims, _, _ in
      claims["events"]?.object?[LogoutToken.event]?.object == nil ? ClaimError.eventsInvalid.refusal : nil
    })

  private static let subject = TokenCheck(
    "sub or sid", reference: "OpenID Connect Back-Channel Logout section 2.4", expected: "one of the two",
    refusal: { claims, _, _ in
      let session = claims["sid"]
      guard session == nil || session?.string != nil else {
        return ClaimError.claimInvalid(name: "sid", rule: "must be a string").refusal
      }
      return claims.subject == nil && session == nil ? ClaimError.logoutSubjectMissing.refusal : nil
    })

  private static let nonce = TokenCheck(
    "nonce", reference: "OpenID Connect Back-Channel Logout section 2.4", expected: "absent",
    refusal: { claims, _, _ in claims.has("nonce") ? ClaimError.nonceUnexpected.refusal : nil })
}
