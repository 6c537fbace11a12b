internal import JOSE
package import TokenSecurityBase

/// The issuers whose rules are known by a name, in policy documents and on command lines.
package enum IssuerProfile: ExactString, Sendable, CaseIterable {
  case cognitoUserPool = "cognito-user-pool"
  case cognitoIdentityPool = "cognito-identity-pool"
  case google = "google"
  case apple = "apple"
  /// Login with Amazon.
  case amazon = "amazon"
  /// Limited Login.
  case facebook = "facebook"
  case microsoftEntra = "microsoft-entra"
  case okta = "okta"
  case auth0 = "auth0"
  case keycloak = "keycloak"

  /// True for authorization servers that are known for their access tokens.
  package var isAuthorizationServer: Bool { [.okta, .auth0, .keycloak].contains(self) }
}

/// The settings of an issuer by its profile, which uses some of them.
package struct IssuerSettings: Sendable {
  package var pool = ""
  package var use = CognitoUserPoolIssuer.Use.either
  package var tenant = ""
  /// The issuer; nil for that of the profile.
  package var issuer: String?
  package var audiences: [String] = []
  package var clientIDs = Expectation<String>.oneOf([])
  package var groups: [String] = []
  package var scopes: [String] = []
  package var permissions: [String] = []
  package var resources: [String] = []
  package var replicaRegions: [AWSRegion] = []
  package var hostedDomains: [String] = []
  /// Login providers of an identity pool.
  package var providers: [String] = []
  package var acceptsGuests = false
  package var isBoundToProof = false

  package init() {}
}

extension TrustedIssuer {
  /// An issuer by its profile.
  ///
  /// - Parameters:
  ///   - profile: the profile.
  ///   - settings: its settings.
  ///   - keys: the keys. Default: where the profile says.
  /// - Returns: the issuer.
  /// - Throws: `identifierInvalid` or `addressInvalid` for settings that the profile refuses.
  package static func known(
    _ profile: IssuerProfile, _ settings: IssuerSettings, keys: Keys? = nil
  ) throws(OpenIDError) -> TrustedIssuer {
    let (server, clients) = (settings.issuer ?? "", settings.clientIDs)
    let clientIDs = if case .oneOf(let names) = clients { names } else { [String]() }
    let made: TrustedIssuer
    switch profile {
    case .cognitoUserPool:
      var rules = CognitoUserPoolRules(
        pool: try CognitoUserPoolIssuer(settings.pool), use: settings.use, clientIDs: clients,
        groups: settings.groups, scopes: settings.scopes, resources: settings.resources)
      rules.issuer = settings.issuer
      rules.replicaRegions = settings.replicaRegions
      // With other keys, the issuer may be one whose keys cannot be fetched.
      if let keys { return TrustedIssuer(policy: rules.policy, keys: keys) }
      made = try .cognitoUserPool(rules)
    case .cognitoIdentityPool:
      made = try .cognitoIdentityPool(
        settings.pool, acceptsGuests: settings.acceptsGuests, providers: settings.providers)
    case .google: made = try .google(clientIDs: clientIDs, hostedDomains: settings.hostedDomains)
    case .apple: made = try .apple(clientIDs: clientIDs)
    case .amazon: made = try .loginWithAmazon(clientIDs: clientIDs)
    case .facebook: made = try .facebookLimitedLogin(appIDs: clientIDs)
    case .microsoftEntra: made = try .microsoftEntra(tenant: settings.tenant, clientIDs: clientIDs)
    case .okta:
      made = try .okta(
        issuer: server, audiences: settings.audiences, clientIDs: clients, scopes: settings.scopes)
    case .auth0:
      made = try .auth0(
        issuer: server, audiences: settings.audiences, clientIDs: clients, scopes: settings.scopes,
        permissions: settings.permissions)
    case .keycloak:
      made = try .keycloak(
        issuer: server, audiences: settings.audiences, clientIDs: clients, scopes: settings.scopes,
        isBoundToProof: settings.isBoundToProof)
    }
    return keys.map { TrustedIssuer(policy: made.policy, keys: $0) } ?? made
  }
}
