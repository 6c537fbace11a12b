internal import TokenSecurityEncodings
public import JOSE

extension TrustedIssuer {
  /// Access tokens of a Keycloak realm.
  ///
  /// The claim `typ` says which of Keycloak's tokens one is: `Bearer` is an access token, `ID`, `Refresh`, `Offline` and
  /// `Logout` are not (Keycloak's class `TokenUtil`). The header's `typ` is `JWT`, or `at+jwt` where the realm's client
  /// policies or the client say so. The client is in `azp`, the scopes are in the string `scope`. A client's tokens have
  /// the interface in `aud` where the realm has an audience mapper for it ("Server Administration Guide", "Audience
  /// support").
  ///
  /// - Parameters:
  ///   - issuer: the realm: `https://HOST/realms/NAME`, with what the server has in front of `/realms`.
  ///   - audiences: the identifiers of the interface.
  ///   - clientIDs: the clients that may have asked for the token.
  ///   - scopes: scopes that must be there, all of them.
  ///   - isBoundToProof: true for tokens that are bound to a DPoP key (`typ` `DPoP`), whose proof ``DPoPRules`` verify;
  ///     they are refused as bearer tokens.
  /// - Throws: `identifierInvalid` where `issuer` is none of a realm.
  public static func keycloak(
    issuer: String, audiences: [String], clientIDs: Expectation<String>, scopes: [String] = [],
    isBoundToProof: Bool = false
  ) throws(OpenIDError) -> TrustedIssuer {
    let path = try IssuerAddress.path(
      of: issuer, kind: "issuer of a Keycloak realm", form: "https://HOST/realms/NAME")
    guard path.count >= 2, path[path.count - 2] == "realms", path.allSatisfy({ !$0.isEmpty }) else {
      throw .identifierInvalid(
        kind: "issuer of a Keycloak realm", value: issuer, rule: "it is not https://HOST/realms/NAME")
    }
    var rules = AccessTokenRules(
      issuers: [issuer], audiences: audiences, clientIDs: clientIDs, scopes: scopes, types: ["JWT", "at+jwt"])
    rules.clientClaims = ["azp"]
    var policy = rules.policy
    policy.checks.insert(type(isBoundToProof ? "DPoP" : "Bearer"), at: 1)
    if isBoundToProof { policy.requiredClaims.append("cnf") }
    return TrustedIssuer(
      policy: policy, keys: .remote(try .address(issuer + "/protocol/openid-connect/certs")))
  }

  private static func type(_ wanted: String) -> TokenCheck {
    TokenCheck(
      "typ claim", reference: nil, expected: wanted.quoted, isCheckedFirst: true,
      actual: { claims, _ in claims["typ"]?.string?.quoted ?? "absent" },
      refusal: { claims, _, _ in
        claims.has("typ", wanted)
          ? nil
          : ClaimError.profileMismatch(name: "typ", actual: claims["typ"]?.string, expected: [wanted]).refusal
      })
  }
}
