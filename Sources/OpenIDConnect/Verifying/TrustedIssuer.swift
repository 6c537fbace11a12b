internal import TokenSecurityEncodings
public import JOSE

/// An issuer whose tokens are accepted: what is demanded of them, and where its keys are.
///
/// The profiles make the usual ones: ``cognitoUserPool(_:use:clientIDs:groups:scopes:resources:)``,
/// ``google(clientIDs:hostedDomains:)``, ``apple(clientIDs:)`` and others; ``openIDProvider(_:keys:)`` and
/// ``authorizationServer(_:keys:)`` serve every provider that keeps to the standards.
public struct TrustedIssuer: Sendable {
  /// What is demanded. Its issuers are those that lead a token here.
  public var policy: TokenPolicy
  /// Where the keys are.
  public var keys: Keys

  /// Where an issuer's keys are.
  public enum Keys: Sendable {
    /// Elsewhere; fetched and held.
    case remote(KeySetLocation)
    /// Here.
    case held(JWKSet)
  }

  /// An issuer with this policy and these keys.
  public init(policy: TokenPolicy, keys: Keys) {
    self.policy = policy
    self.keys = keys
  }

  /// Why a verifier cannot be made of this, or nil.
  var problem: String? {
    guard !names.isEmpty else { return "a trusted issuer's policy must name its issuer" }
    guard case .remote(let location) = keys, location.place == .undetermined else { return nil }
    return
      "keys must be given for several issuers: \(names.quotedList); or make one trusted issuer of each"
  }

  /// The issuers that lead a token here.
  var names: [String] { if case .oneOf(let names) = policy.issuer { names } else { [] } }
}

extension TrustedIssuer.Keys {
  /// The keys of the one issuer, by discovery. With several, the first one's key would sign for the others.
  static func discovered(_ issuers: [String]) -> TrustedIssuer.Keys {
    guard let issuer = issuers.first, issuers.count == 1 else { return .remote(.undetermined) }
    return .remote(.discovery(issuer: issuer))
  }
}

extension TrustedIssuer {
  /// ID tokens of any OpenID provider.
  ///
  /// - Parameters:
  ///   - rules: what is demanded.
  ///   - keys: where the keys are. Default: where the provider's description of itself says, which needs `rules` of exactly
  ///     one issuer: two issuers do not share keys unless that is stated.
  public static func openIDProvider(_ rules: IDTokenRules, keys: Keys? = nil) -> TrustedIssuer {
    TrustedIssuer(
      policy: rules.policy, keys: keys ?? .discovered(rules.issuers))
  }

  /// Access tokens of any authorization server that issues them as RFC 9068 says.
  ///
  /// - Parameters:
  ///   - rules: what is demanded.
  ///   - keys: where the keys are. Default: where the server's description of itself says, which needs `rules` of exactly
  ///     one issuer: two issuers do not share keys unless that is stated.
  public static func authorizationServer(_ rules: AccessTokenRules, keys: Keys? = nil) -> TrustedIssuer {
    TrustedIssuer(
      policy: rules.policy, keys: keys ?? .discovered(rules.issuers))
  }

  /// Logout tokens of any OpenID provider.
  ///
  /// - Parameters:
  ///   - rules: what is demanded.
  ///   - keys: where the keys are. Default: where the provider's description of itself says, which needs `rules` of exactly
  ///     one issuer: two issuers do not share keys unless that is stated.
  public static func logout(_ rules: LogoutTokenRules, keys: Keys? = nil) -> TrustedIssuer {
    TrustedIssuer(
      policy: rules.policy, keys: keys ?? .discovered(rules.issuers))
  }
}
