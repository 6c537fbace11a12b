internal import TokenSecurityEncodings
public import JOSE

/// An issuer whose tokens are accepted: the policy for its tokens, and its keys.
///
/// There are profiles for well-known issuers: ``cognitoUserPool(_:use:clientIDs:groups:scopes:resources:issuer:)``,
/// ``google(clientIDs:hostedDomains:)``, ``apple(clientIDs:)`` and others. ``openIDProvider(_:keys:)`` and
/// ``authorizationServer(_:keys:)`` fit every provider that implements the standards.
public struct TrustedIssuer: Sendable {
  /// The policy. It applies to tokens of the issuers that it names.
  public var policy: TokenPolicy
  /// The keys.
  public var keys: Keys

  /// An issuer's keys.
  public enum Keys: Sendable {
    /// Keys that are fetched and cached.
    case remote(KeySetLocation)
    /// Keys that never change.
    case fixed(JWKSet)
  }

  /// An issuer with this policy and these keys.
  public init(policy: TokenPolicy, keys: Keys) {
    self.policy = policy
    self.keys = keys
  }

  /// Why a verifier cannot use this issuer, or nil.
  var problem: String? {
    guard !names.isEmpty else { return "a trusted issuer's policy must name its issuer" }
    guard case .remote(let location) = keys, location.place == .undetermined else { return nil }
    return
      "several issuers need a location of their keys: \(names.quotedList); or make one trusted issuer of each"
  }

  /// The names of the issuer.
  var names: [String] { if case .oneOf(let names) = policy.issuer { names } else { [] } }
}

extension TrustedIssuer.Keys {
  /// The keys of a single issuer, by discovery. With several, the keys of the first would verify tokens of
  /// the others.
  static func discovered(_ issuers: [String]) -> TrustedIssuer.Keys {
    guard let issuer = issuers.first, issuers.count == 1 else { return .remote(.undetermined) }
    return .remote(.discovery(issuer: issuer))
  }
}

extension TrustedIssuer {
  /// ID tokens of any OpenID provider.
  ///
  /// - Parameters:
  ///   - rules: the rules for its ID tokens.
  ///   - keys: the keys. Default: by discovery, which needs `rules` with exactly one issuer: issuers do not
  ///     share keys unless you say so.
  /// - Returns: the issuer.
  public static func openIDProvider(_ rules: IDTokenRules, keys: Keys? = nil) -> TrustedIssuer {
    TrustedIssuer(policy: rules.policy, keys: keys ?? .discovered(rules.issuers))
  }

  /// Access tokens of any authorization server that implements RFC 9068.
  ///
  /// - Parameters:
  ///   - rules: the rules for its access tokens.
  ///   - keys: the keys. Default: as for ``openIDProvider(_:keys:)``.
  /// - Returns: the issuer.
  public static func authorizationServer(_ rules: AccessTokenRules, keys: Keys? = nil) -> TrustedIssuer {
    TrustedIssuer(policy: rules.policy, keys: keys ?? .discovered(rules.issuers))
  }

  /// Logout tokens of any OpenID provider.
  ///
  /// - Parameters:
  ///   - rules: the rules for its logout tokens.
  ///   - keys: the keys. Default: as for ``openIDProvider(_:keys:)``.
  /// - Returns: the issuer.
  public static func logout(_ rules: LogoutTokenRules, keys: Keys? = nil) -> TrustedIssuer {
    TrustedIssuer(policy: rules.policy, keys: keys ?? .discovered(rules.issuers))
  }
}
