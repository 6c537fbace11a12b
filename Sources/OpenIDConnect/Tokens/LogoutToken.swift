public import JOSE
internal import TokenLifetime

/// A logout token that was verified (OpenID Connect Back-Channel Logout 1.0): someone has signed out.
public struct LogoutToken: Sendable, Hashable {
  /// The token.
  public let token: VerifiedToken
  /// Who signed out, where the token says.
  public var subject: String? { token.claims.subject }
  /// Which session ended (`sid`), where the token says. Without it, all of the subject's sessions did.
  public var sessionID: String? { token.claims["sid"]?.string }

  /// The member of `events` that makes a token a logout token (section 2.4).
  static let event = "http://schemas.openid.net/event/backchannel-logout"

  /// A verified token as a logout token.
  public init(_ token: VerifiedToken) throws(OpenIDError) {
    guard token.claims["events"]?.object?[Self.event]?.object != nil else {
      throw ClaimError.eventsInvalid.error
    }
    self.token = token
  }
}

/// What is demanded of logout tokens (section 2.6).
public struct LogoutTokenRules: Sendable {
  /// The issuers that are accepted.
  public var issuers: [String]
  /// Our client ids.
  public var clientIDs: [String]
  /// The algorithms that may be used: every one with a key pair unless said otherwise.
  public var algorithms: Set<Algorithm>
  /// The longest life; section 4 recommends 2 minutes, which is what it is unless said otherwise.
  public var maximumLifetime: Limit
  /// How far clocks may differ, 0 to 300 seconds, for `exp`, `nbf` and `iat`. Default: nil, which leaves the defaults of
  /// `TokenPolicy`.
  public var leeway: Duration?
  /// Asked for each token that passed all other checks whether its name is new, with the last instant at which the token
  /// is accepted and the present. The name is `logout:` and a digest of issuer and `jti`, so that one memory can serve
  /// several issuers and other kinds of tokens. False refuses the token.
  public var isNew: @Sendable (_ name: String, _ until: NumericDate, _ now: NumericDate) -> Bool

  /// Rules with their defaults.
  ///
  /// - Parameters:
  ///   - issuers: the issuers that are accepted.
  ///   - clientIDs: our client ids.
  ///   - isNew: whether a token's name is new. ``ReplayMemory/admit(_:until:at:)`` answers it for one process.
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
        func refusal(_ error: JOSEError) -> CheckRefusal {
          CheckRefusal(code: error.codeText, message: "\(error)")
        }
        let name = ReplayName.make(claims.tokenID ?? "", of: claims.issuer ?? "", kind: "logout")
        // The name is remembered for as long as these rules accept the token. A policy that was changed to accept it for
        // longer would accept it again, once the name is forgotten.
        guard let expiration = claims.expiration else { return refusal(.claimMissing(name: "exp")) }
        let end = expiration.advanced(bySeconds: leeway)
        guard now < end else { return refusal(.expired(at: expiration, now: now)) }
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
