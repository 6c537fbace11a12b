internal import JOSE
internal import TokenSecurityBase

// ID tokens of well-known providers.
extension TrustedIssuer {
  /// ID tokens of Google (Sign in with Google).
  ///
  /// - Parameters:
  ///   - clientIDs: your client ids of all platforms. In tokens of mobile apps `aud` is the server's, `azp`
  ///     the app's.
  ///   - hostedDomains: the accepted Workspace domains (`hd`); empty accepts any account.
  /// - Returns: the issuer.
  /// - Throws: `addressInvalid`, which cannot happen with the built-in address.
  public static func google(clientIDs: [String], hostedDomains: [String] = []) throws(OpenIDError)
    -> TrustedIssuer
  {
    // Tokens of older clients have the second name.
    var policy = rs256(["https://accounts.google.com", "accounts.google.com"], clientIDs).policy
    if !hostedDomains.isEmpty { policy.checks.append(ProfileChecks.claim("hd", hostedDomains)) }
    policy.checks.append(ProfileChecks.verifiedAddress)
    return TrustedIssuer(
      policy: policy, keys: .remote(try .address("https://www.googleapis.com/oauth2/v3/certs")))
  }

  /// ID tokens of Apple (Sign in with Apple) for your bundle ids and services ids.
  public static func apple(clientIDs: [String]) throws(OpenIDError) -> TrustedIssuer {
    TrustedIssuer(
      policy: rs256(["https://appleid.apple.com"], clientIDs).policy,
      keys: .remote(try .address("https://appleid.apple.com/auth/keys")))
  }

  /// ID tokens of Amazon (Login with Amazon) for your client ids, `amzn1.application-oa2-client.…`. The
  /// keys are found by discovery.
  public static func loginWithAmazon(clientIDs: [String]) throws(OpenIDError) -> TrustedIssuer {
    .openIDProvider(rs256(["https://www.amazon.com"], clientIDs))
  }

  /// ID tokens of Facebook (Limited Login on iOS). Facebook's other logins issue access tokens that only
  /// Facebook can read.
  public static func facebookLimitedLogin(appIDs: [String]) throws(OpenIDError) -> TrustedIssuer {
    // Tokens from the limited host have the second name.
    TrustedIssuer(
      policy: rs256(["https://www.facebook.com", "https://limited.facebook.com"], appIDs).policy,
      keys: .remote(try .address("https://limited.facebook.com/.well-known/oauth/openid/jwks/")))
  }

  /// ID tokens, version 2.0, of one tenant of Microsoft Entra.
  ///
  /// There is no profile for all tenants: list each trusted tenant as an issuer.
  ///
  /// - Parameters:
  ///   - tenant: the tenant's id, a UUID in lower case.
  ///   - clientIDs: your application ids.
  /// - Returns: the issuer.
  /// - Throws: `identifierInvalid` if `tenant` is not a UUID.
  public static func microsoftEntra(tenant: String, clientIDs: [String]) throws(OpenIDError) -> TrustedIssuer
  {
    guard UUIDText.isUUID(tenant) else {
      throw .identifierInvalid(kind: "tenant's id", value: tenant, rule: "it is not a UUID in lower case")
    }
    let base = "https://login.microsoftonline.com/\(tenant)"
    var policy = rs256([base + "/v2.0"], clientIDs).policy
    policy.checks += [
      notAccessToken, ProfileChecks.claim("tid", [tenant]), ProfileChecks.claim("ver", ["2.0"]),
    ]
    return TrustedIssuer(policy: policy, keys: .remote(try .address(base + "/discovery/v2.0/keys")))
  }

  private static func rs256(_ issuers: [String], _ clientIDs: [String]) -> IDTokenRules {
    var rules = IDTokenRules(issuers: issuers, clientIDs: clientIDs)
    rules.algorithms = [.rs256]
    return rules
  }

  /// Entra signs an application's own access token with the same keys, issuer and `typ` as an ID token. Only
  /// access tokens have these claims (Microsoft's "Access token claims reference").
  private static let notAccessToken = TokenCheck(
    "access token's claims", reference: nil, expected: "none", isCheckedFirst: true,
    refusal: { claims, _, _ in
      for name in ["azpacr", "appid", "appidacr"] where claims.has(name) {
        return ClaimError.wrongKind(expected: .idToken, actual: .accessToken).refusal
      }
      return nil
    })
}
