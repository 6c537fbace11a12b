internal import TokenSecurityEncodings
public import JOSE

/// What is demanded of access tokens in the JWT profile (RFC 9068 section 4), or in a form that differs from it in the
/// header's type and in the names of claims.
public struct AccessTokenRules: Sendable {
  /// The authorization servers that are accepted.
  public var issuers: [String]
  /// The identifiers of the interface that the tokens are for: one of them must be among the audiences.
  public var audiences: [String]
  /// The clients that may have asked for the token.
  public var clientIDs: Expectation<String>
  /// Scopes that must be there, all of them.
  public var scopes: [String]
  /// The header's types (`typ`) that are accepted: `at+jwt`, which RFC 9068 demands.
  ///
  /// Add `JWT` for a server that does not keep to this. ID tokens of that server may have the same type then: they are
  /// still refused by their nonce, hashes and `token_use`, and by the claims that they lack.
  public var types: [String]
  /// Whether a token without `typ` is accepted. Default: false.
  public var acceptsMissingType: Bool
  /// The claims that name the client, in the order in which they are looked for. Default: `client_id`. The first that
  /// the token has is compared with ``clientIDs``; one of them must be there.
  public var clientClaims: [String]
  /// The claim with the scopes: a string divided by spaces (RFC 6749 section 3.3), or an array. Default: `scope`, as a
  /// string only.
  public var scopeClaim: ScopeClaim
  /// Claims that must be there, besides `aud`, `exp` and one of ``clientClaims``.
  public var requiredClaims: [String]
  /// The algorithms that may be used: every one with a key pair unless said otherwise.
  public var algorithms: Set<Algorithm>
  /// The longest life of a token; 24 hours unless said otherwise.
  public var maximumLifetime: Limit
  /// How far clocks may differ, 0 to 300 seconds, for `exp`, `nbf` and `iat`. Default: nil, which leaves the defaults of
  /// `TokenPolicy`.
  public var leeway: Duration?

  /// How a server writes scopes.
  public enum ScopeClaim: Sendable, Hashable {
    /// A string divided by spaces, in the claim of this name.
    case text(String)
    /// An array of strings, in the claim of this name.
    case array(String)

    /// The claim's name.
    var name: String {
      switch self {
      case .text(let name), .array(let name): name
      }
    }

    /// The scopes in `claims`.
    func scopes(in claims: TokenClaims) -> [String] {
      switch self {
      case .text(let name): claims[name]?.string.map(Self.divided) ?? []
      case .array(let name): claims[name]?.strings ?? []
      }
    }

    /// The words of `text`, divided by single spaces.
    static func divided(_ text: String) -> [String] {
      text.utf8.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// Rules with their defaults.
  ///
  /// - Parameters:
  ///   - issuers: the authorization servers that are accepted.
  ///   - audiences: the identifiers of the interface that the tokens are for.
  ///   - clientIDs: the clients that may have asked for the token.
  ///   - scopes: scopes that must be there, all of them.
  ///   - types: the header's types that are accepted.
  public init(
    issuers: [String], audiences: [String], clientIDs: Expectation<String>, scopes: [String] = [],
    types: [String] = ["at+jwt"]
  ) {
    self.issuers = issuers
    self.audiences = audiences
    self.clientIDs = clientIDs
    self.scopes = scopes
    self.types = types
    acceptsMissingType = false
    clientClaims = ["client_id"]
    scopeClaim = .text("scope")
    requiredClaims = ["iss", "sub", "iat", "jti"]
    algorithms = Algorithm.asymmetric
    maximumLifetime = .atMost(TokenPolicy.defaultMaximumLifetime)
  }

  /// The rules as a policy.
  public var policy: TokenPolicy {
    var policy = TokenPolicy(
      issuer: .oneOf(issuers), audience: .oneOf(audiences), algorithms: algorithms)
    policy.maximumLifetime = maximumLifetime
    if let leeway { policy.leeway = leeway }
    policy.requiredClaims = requiredClaims
    // Where there is one name only, its absence is a missing claim.
    if clientClaims.count == 1 { policy.requiredClaims += clientClaims }
    policy.checks = [TokenKind.accessToken.check(), type, AccessTokenChecks.client(clientClaims, clientIDs)]
    policy.checks += scopes.map { AccessTokenChecks.scope($0, in: scopeClaim) }
    return policy
  }

  private var type: TokenCheck {
    let (types, acceptsMissing) = (self.types, acceptsMissingType)
    return TokenCheck(
      "type", reference: "RFC 9068 section 4",
      expected: types.quotedList + (acceptsMissing ? ", or absent" : ""), isCheckedFirst: true,
      actual: { _, header in header.type?.quoted ?? "absent" },
      refusal: { _, header, _ in
        let isAccepted = header.type.map { HeaderType.isOne($0, of: types) } ?? acceptsMissing
        return isAccepted ? nil : ClaimError.typeMissing(expected: types, actual: header.type).refusal
      })
  }
}
