internal import TokenSecurityEncodings
internal import JOSE

extension TrustedIssuer {
  /// Microsoft Entra's ID tokens, version 2.0, of one tenant.
  ///
  /// There is no profile for "all tenants": each tenant that is trusted is named, and is an issuer of its own.
  ///
  /// - Parameters:
  ///   - tenant: the tenant's id, a UUID.
  ///   - clientIDs: our application ids.
  /// - Throws: `identifierInvalid` where `tenant` is no UUID.
  public static func microsoftEntra(tenant: String, clientIDs: [String]) throws(OpenIDError) -> TrustedIssuer
  {
    guard UUIDText.isUUID(tenant) else {
      throw .identifierInvalid(
        kind: "tenant's id", value: tenant, rule: "it is not a UUID in lower case")
    }
    let base = "https://login.microsoftonline.com/\(tenant)"
    var rules = IDTokenRules(issuers: [base + "/v2.0"], clientIDs: clientIDs)
    rules.algorithms = [.rs256]
    var policy = rules.policy
    policy.checks += [
      notAccessToken, ProfileChecks.claim("tid", [tenant]), ProfileChecks.claim("ver", ["2.0"]),
    ]
    return TrustedIssuer(
      policy: policy, keys: .remote(try .address(base + "/discovery/v2.0/keys")))
  }

  /// Entra signs an application's own token with the same keys, issuer and `typ` as an ID token. These claims are in its
  /// access tokens alone (Microsoft's "Access token claims reference").
  private static let notAccessToken = TokenCheck(
    "access token's claims", reference: nil, expected: "none", isCheckedFirst: true,
    refusal: { claims, _, _ in
      for name in ["azpacr", "appid", "appidacr"] where claims.has(name) {
        return ClaimError.wrongKind(expected: .idToken, actual: .accessToken).refusal
      }
      return nil
    })
}
