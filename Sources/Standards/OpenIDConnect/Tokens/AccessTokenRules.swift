public import JOSE
internal import TokenSecurityBase

/// Rules for access tokens in the JWT profile (RFC 9068 section 4), or in a form with another header type or
/// other names of claims.
public struct AccessTokenRules: Sendable {
  /// The accepted authorization servers.
  public var issuers: [String]
  /// The identifiers of your API: the token must have one of them as an audience.
  public var audiences: [String]
  /// The accepted clients.
  public var clientIDs: Expectation<String>
  /// The required scopes.
  public var scopes: [String]
  /// The accepted header types (`typ`). Default: `at+jwt`, which RFC 9068 requires.
  ///
  /// Add `JWT` for a server that does not comply. That server's ID tokens may have the same type: they are
  /// still refused by their nonce, hashes and `token_use`, and by missing claims.
  public var types: [String]
  /// Whether a token without `typ` is accepted. Default: false.
  public var acceptsMissingType: Bool
  /// The claims that may have the client, in this order. Default: `client_id`. The first that is present is
  /// compared with ``clientIDs``; one must be present.
  public var clientClaims: [String]
  /// The claim with the scopes: a string with spaces between them (RFC 6749 section 3.3), or an array.
  /// Default: the string `scope`.
  public var scopeClaim: ScopeClaim
  /// The required claims besides `aud`, `exp` and one of ``clientClaims``.
  public var requiredClaims: [String]
  /// The authentication context class (`acr`; RFC 9068 section 2.2.1). Default: unchecked.
  public var authenticationContext: Expectation<String>
  /// The accepted algorithms. Default: all asymmetric ones.
  public var algorithms: Set<Algorithm>
  /// The longest accepted lifetime of a token. Default: 24 hours.
  public var maximumLifetime: Limit
  /// The accepted clock difference for `exp`, `nbf` and `iat`, 0 to 300 seconds. Default: nil, the defaults
  /// of `TokenPolicy`.
  public var leeway: Duration?

  /// The format of the scopes.
  public enum ScopeClaim: Sendable, Hashable {
    /// A claim of this name that is a string with spaces between the scopes.
    case text(String)
    /// A claim of this name that is an array of strings.
    case array(String)

    /// The claim's name.
    var name: String {
      switch self {
      case .text(let name), .array(let name): name
      }
    }

    /// The scopes in `claims`.
    package func scopes(in claims: TokenClaims) -> [String] {
      switch self {
      case .text(let name):
        (claims[name]?.string ?? "").utf8.split(separator: 0x20).map { String(decoding: $0, as: UTF8.self) }
      case .array(let name): claims[name]?.strings ?? []
      }
    }
  }

  /// Rules with default values.
  ///
  /// - Parameters:
  ///   - issuers: the accepted authorization servers.
  ///   - audiences: the identifiers of your API.
  ///   - clientIDs: the accepted clients.
  ///   - scopes: the required scopes.
  ///   - types: the accepted header types.
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
    authenticationContext = .unchecked(because: "any class of sign-in")
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
    // With a single name, its absence is reported as a missing claim.
    if clientClaims.count == 1 { policy.requiredClaims += clientClaims }
    policy.checks = [TokenKind.accessToken.check(), type, AccessTokenChecks.client(clientClaims, clientIDs)]
    policy.checks += scopes.map { AccessTokenChecks.scope($0, in: scopeClaim) }
    policy.checks += TokenCheck.authenticationContext(authenticationContext)
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
