internal import TokenSecurityEncodings
public import JOSE

extension TrustedIssuer {
  /// Access tokens of an Auth0 tenant, in both of its forms (Auth0's "Access Token Profiles"): with `typ` `JWT` and the
  /// client in `azp`, or as RFC 9068 has it, with `typ` `at+jwt` and the client in `client_id`.
  ///
  /// An ID token has the client in `aud`: a token of the first form that is for the client that asked for it is refused.
  ///
  /// - Parameters:
  ///   - issuer: the tenant: `https://DOMAIN/`, with the slash at its end, which the tokens have.
  ///   - audiences: the identifiers of the interface.
  ///   - clientIDs: the clients that may have asked for the token.
  ///   - scopes: scopes that must be there, all of them: what the client was allowed.
  ///   - permissions: permissions that must be there, all of them: what the user's roles allow. A tenant adds them where
  ///     that is switched on for the interface. They are no scopes: a client with few scopes has all permissions of its
  ///     user in its token.
  /// - Throws: `identifierInvalid` where `issuer` is none of a tenant.
  public static func auth0(
    issuer: String, audiences: [String], clientIDs: Expectation<String>, scopes: [String] = [],
    permissions: [String] = []
  ) throws(OpenIDError) -> TrustedIssuer {
    let path = try IssuerAddress.path(
      of: issuer, kind: "issuer of an Auth0 tenant", form: "https://DOMAIN/ with the slash at its end")
    guard path == [""], issuer.hasSuffix("/") else {
      throw .identifierInvalid(
        kind: "issuer of an Auth0 tenant", value: issuer,
        rule: "it is not https://DOMAIN/ with the slash at its end")
    }
    var rules = AccessTokenRules(
      issuers: [issuer], audiences: audiences, clientIDs: clientIDs, scopes: scopes, types: ["JWT", "at+jwt"])
    rules.clientClaims = ["client_id", "azp"]
    rules.requiredClaims = ["iss", "sub", "iat"]
    rules.algorithms = [.rs256, .ps256]
    var policy = rules.policy
    policy.checks.append(notForTheClient)
    policy.checks += permissions.map(permission)
    return TrustedIssuer(
      policy: policy, keys: .remote(try .address(issuer + ".well-known/jwks.json")))
  }

  private static let notForTheClient = TokenCheck(
    "audiences", reference: "OpenID Connect Core section 2", expected: "not the client, unless typ is at+jwt",
    isCheckedFirst: true,
    refusal: { claims, header, _ in
      if let type = header.type, HeaderType.matches(type, "at+jwt") { return nil }
      for audience in claims.audience ?? []
      where claims.has("azp", audience) || claims.has("client_id", audience) {
        return ClaimError.wrongKind(expected: .accessToken, actual: .idToken).refusal
      }
      return nil
    })

  private static func permission(_ name: String) -> TokenCheck {
    TokenCheck(
      "permissions", reference: nil, expected: name.quoted + " among them",
      actual: { claims, _ in claims["permissions"]?.strings.map { $0.quotedList } ?? "absent" },
      refusal: { claims, _, _ in
        let found = claims["permissions"]?.strings ?? []
        return found.contains(name) ? nil : ClaimError.permissionMissing(name, actual: found).refusal
      })
  }
}
