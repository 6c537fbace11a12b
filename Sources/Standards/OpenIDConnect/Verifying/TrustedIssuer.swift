public import JOSE
public import TokenSecurityBase

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
  /// The locations of the keys of those issuers of the policy whose keys are not at ``keys``. They are fetched when a token
  /// of such an issuer arrives, and not before: it may have none yet. Unused for fixed keys, which are those of all issuers.
  public var separateKeys: [ExactString: KeySetLocation] = [:]

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
    for name in separateKeys.keys where !names.contains(name.text) {
      return "there are keys of \(name.text.quoted), which the policy does not name"
    }
    guard case .remote(let location) = keys, location.source == .undetermined else { return nil }
    return
      "several issuers need a location of their keys: \(names.quotedList); or make one trusted issuer of each"
  }

  /// The names of the issuer.
  var names: [String] { if case .oneOf(let names) = policy.issuer { names } else { [] } }
}

extension TrustedIssuer {
  /// An issuer of which all names have the same keys.
  struct Part {
    let issuer: TrustedIssuer
    /// True if its keys are fetched for its tokens alone.
    let isOnDemand: Bool
  }

  /// The issuer, divided by keys.
  var parts: [Part] {
    guard case .remote = keys, !separateKeys.isEmpty else { return [Part(issuer: self, isOnDemand: false)] }
    func part(_ names: [String], _ location: KeySetLocation?) -> Part {
      var part = TrustedIssuer(policy: policy, keys: location.map { .remote($0) } ?? keys)
      part.policy.issuer = .oneOf(names)
      return Part(issuer: part, isOnDemand: location != nil)
    }
    let common = names.filter { separateKeys[ExactString($0)] == nil }
    let separate = names.compactMap { name in separateKeys[ExactString(name)].map { part([name], $0) } }
    return (common.isEmpty ? [] : [part(common, nil)]) + separate
  }
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

  /// ID tokens of any OpenID provider, by its address.
  ///
  /// - Parameters:
  ///   - issuer: the provider's `iss`, such as `https://login.example`.
  ///   - clientIDs: your client ids.
  /// - Returns: the issuer.
  public static func openIDProvider(_ issuer: String, clientIDs: [String]) -> TrustedIssuer {
    .openIDProvider(IDTokenRules(issuers: [issuer], clientIDs: clientIDs))
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

  /// Access tokens of an authorization server that implements RFC 9068, by its address.
  ///
  /// - Parameters:
  ///   - issuer: the server's `iss`, such as `https://login.example`.
  ///   - audiences: the identifiers of your API: the token must have one of them as an audience.
  ///   - clientIDs: the accepted clients. Any client: `.unchecked(because:)`.
  ///   - maximumLifetime: the longest accepted lifetime of a token. Default: 24 hours.
  /// - Returns: the issuer.
  public static func authorizationServer(
    _ issuer: String, audiences: [String], clientIDs: Expectation<String>,
    maximumLifetime: Limit = .atMost(TokenPolicy.defaultMaximumLifetime)
  ) -> TrustedIssuer {
    var rules = AccessTokenRules(issuers: [issuer], audiences: audiences, clientIDs: clientIDs)
    rules.maximumLifetime = maximumLifetime
    return .authorizationServer(rules)
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
