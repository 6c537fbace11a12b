public import JOSE

/// What is demanded of access tokens in the JWT profile (RFC 9068 section 4).
public struct AccessTokenRules: Sendable {
  /// The authorization servers that are accepted.
  public var issuers: [String]
  /// The identifiers of the interface that the tokens are for: one of them must be among the audiences.
  public var audiences: [String]
  /// The clients that may have asked for the token (`client_id`).
  public var clientIDs: Expectation<String>
  /// Scopes that must be there, all of them.
  public var scopes: [String]
  /// The algorithms that may be used: every one with a key pair unless said otherwise.
  public var algorithms: Set<Algorithm>
  /// The longest life of a token; 24 hours unless said otherwise.
  public var maximumLifetime: Limit
  /// How many seconds clocks may differ by, 0 to 300; 0 unless said otherwise.
  public var leeway: Int64

  /// Rules with their defaults.
  public init(issuers: [String], audiences: [String], clientIDs: Expectation<String>, scopes: [String] = []) {
    self.issuers = issuers
    self.audiences = audiences
    self.clientIDs = clientIDs
    self.scopes = scopes
    algorithms = Algorithm.asymmetric
    maximumLifetime = .seconds(TokenPolicy.defaultMaximumLifetime)
    leeway = 0
  }

  /// The rules as a policy.
  public var policy: TokenPolicy {
    var policy = TokenPolicy(
      issuer: .oneOf(issuers), audience: .oneOf(audiences), algorithms: algorithms)
    policy.maximumLifetime = maximumLifetime
    policy.leeway = leeway
    policy.requiredClaims = ["iss", "sub", "iat", "jti", "client_id"]
    policy.checks = [TokenKind.accessToken.check(), Self.type, Self.client("client_id", clientIDs)]
    policy.checks += scopes.map(Self.scope)
    return policy
  }

  private static let type = TokenCheck(
    "type", reference: "RFC 9068 section 4", demand: "\"at+jwt\"", isJudgedFirst: true,
    finding: { _, header in header.type?.quoted ?? "absent" },
    refusal: { _, header, _ in
      switch header.type?.lowercased() {
      case "at+jwt", "application/at+jwt": nil
      default: ClaimFault.typeMissing(wanted: "at+jwt", found: header.type).refusal
      }
    })

  /// The check that the claim called `name` is one of the clients.
  static func client(_ name: String, _ clients: Expectation<String>) -> TokenCheck {
    TokenCheck(
      name, reference: "RFC 9068 section 2.2", demand: clients.demand,
      finding: { claims, _ in claims[name]?.string?.quoted ?? "absent" },
      refusal: { claims, _, _ in
        switch clients {
        case .unchecked: return nil
        case .absent:
          return claims.has(name)
            ? ClaimFault.clientMismatch(found: claims[name]?.string, expected: []).refusal : nil
        case .oneOf(let values):
          for value in values where claims.has(name, value) { return nil }
          return ClaimFault.clientMismatch(found: claims[name]?.string, expected: values).refusal
        }
      })
  }

  /// The check that `name` is among the scopes, which stand in one string divided by spaces (RFC 6749
  /// section 3.3).
  static func scope(_ name: String) -> TokenCheck {
    TokenCheck(
      "scope", reference: "RFC 6749 section 3.3", demand: name.quoted,
      finding: { claims, _ in claims["scope"]?.string?.quoted ?? "absent" },
      refusal: { claims, _, _ in
        let found = claims["scope"]?.string?.split(separator: " ").map(String.init) ?? []
        return found.contains { $0.utf8.elementsEqual(name.utf8) }
          ? nil : ClaimFault.scopeMissing(name, found: found).refusal
      })
  }
}
