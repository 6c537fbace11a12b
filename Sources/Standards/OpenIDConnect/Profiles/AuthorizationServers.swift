internal import HTTPExchange
public import JOSE
internal import TokenSecurityBase

// Access tokens of well-known authorization servers.
extension TrustedIssuer {
  /// Access tokens of an Okta custom authorization server.
  ///
  /// They have no `typ` in the header, the client in `cid` and the scopes in the array `scp` (Okta's "OpenID
  /// Connect & OAuth 2.0 API", section "Access token"). ID tokens have no `cid` and are refused. Access
  /// tokens of the org authorization server, whose issuer has no path, can be verified by Okta alone.
  ///
  /// - Parameters:
  ///   - issuer: the authorization server: `https://DOMAIN/oauth2/NAME`, for example with the name `default`.
  ///   - audiences: the audiences of your API at the authorization server, for example `api://default`.
  ///   - clientIDs: the accepted clients.
  ///   - scopes: the required scopes.
  /// - Returns: the issuer.
  /// - Throws: `identifierInvalid` if `issuer` is not that of a custom authorization server.
  public static func okta(
    issuer: String, audiences: [String], clientIDs: Expectation<String>, scopes: [String] = []
  ) throws(OpenIDError) -> TrustedIssuer {
    try check(
      issuer, kind: "issuer of an Okta authorization server", form: "https://DOMAIN/oauth2/NAME",
      hint: "; tokens of an issuer without a path can be verified by Okta alone"
    ) { path in path.count == 2 && path[0] == "oauth2" && !path[1].isEmpty }
    var rules = accessTokens(issuer, audiences, clientIDs, scopes)
    rules.acceptsMissingType = true
    rules.clientClaims = ["cid"]
    rules.scopeClaim = .array("scp")
    rules.algorithms = [.rs256]
    return TrustedIssuer(policy: rules.policy, keys: .remote(try .address(issuer + "/v1/keys")))
  }

  /// Access tokens of an Auth0 tenant in both forms (Auth0's "Access Token Profiles"): with `typ` `JWT` and
  /// the client in `azp`, or by RFC 9068 with `typ` `at+jwt` and the client in `client_id`.
  ///
  /// An ID token has the client in `aud`: a token of the first form whose audience is its client is refused.
  ///
  /// - Parameters:
  ///   - issuer: the tenant: `https://DOMAIN/`, with the trailing slash that the tokens have.
  ///   - audiences: the identifiers of your API.
  ///   - clientIDs: the accepted clients.
  ///   - scopes: the required scopes: what the client may do.
  ///   - permissions: the required permissions: what the user's roles allow. A tenant adds them if this is
  ///     enabled for the API. They are not scopes: a client with few scopes gets all permissions of its user.
  /// - Returns: the issuer.
  /// - Throws: `identifierInvalid` if `issuer` is not that of a tenant.
  public static func auth0(
    issuer: String, audiences: [String], clientIDs: Expectation<String>, scopes: [String] = [],
    permissions: [String] = []
  ) throws(OpenIDError) -> TrustedIssuer {
    try check(
      issuer, kind: "issuer of an Auth0 tenant", form: "https://DOMAIN/ with the slash at its end"
    ) { path in path == [""] && issuer.hasSuffix("/") }
    var rules = accessTokens(issuer, audiences, clientIDs, scopes)
    rules.clientClaims = ["client_id", "azp"]
    rules.requiredClaims = ["iss", "sub", "iat"]
    rules.algorithms = [.rs256, .ps256]
    var policy = rules.policy
    policy.checks.append(audienceIsNotClient)
    policy.checks += permissions.map(permission)
    return TrustedIssuer(policy: policy, keys: .remote(try .address(issuer + ".well-known/jwks.json")))
  }

  /// Access tokens of a Keycloak realm.
  ///
  /// The claim `typ` has the kind of the token: `Bearer` is an access token; `ID`, `Refresh`, `Offline` and
  /// `Logout` are not (Keycloak's class `TokenUtil`). The header's `typ` is `JWT`, or `at+jwt` by client
  /// policy. The client is in `azp`, the scopes are in the string `scope`. A client's tokens have your API in
  /// `aud` if the realm has an audience mapper for it ("Server Administration Guide", "Audience support").
  ///
  /// - Parameters:
  ///   - issuer: the realm: `https://HOST/realms/NAME`, with the server's path before `/realms` if it has
  ///     one.
  ///   - audiences: the identifiers of your API.
  ///   - clientIDs: the accepted clients.
  ///   - scopes: the required scopes.
  ///   - isBoundToProof: true for tokens that are bound to a DPoP key (`typ` `DPoP`), whose proof
  ///     ``DPoPRules`` verify. They are refused as bearer tokens.
  /// - Returns: the issuer.
  /// - Throws: `identifierInvalid` if `issuer` is not that of a realm.
  public static func keycloak(
    issuer: String, audiences: [String], clientIDs: Expectation<String>, scopes: [String] = [],
    isBoundToProof: Bool = false
  ) throws(OpenIDError) -> TrustedIssuer {
    try check(issuer, kind: "issuer of a Keycloak realm", form: "https://HOST/realms/NAME") { path in
      path.count >= 2 && path[path.count - 2] == "realms" && path.allSatisfy { !$0.isEmpty }
    }
    var rules = accessTokens(issuer, audiences, clientIDs, scopes)
    rules.clientClaims = ["azp"]
    var policy = rules.policy
    policy.checks.insert(
      ProfileChecks.claim(
        "typ", [isBoundToProof ? "DPoP" : "Bearer"], title: "typ claim", isCheckedFirst: true), at: 1)
    if isBoundToProof {
      policy.requiredClaims.append("cnf")
      policy.binding = .only(["jkt"])
    }
    return TrustedIssuer(
      policy: policy, keys: .remote(try .address(issuer + "/protocol/openid-connect/certs")))
  }

  private static func accessTokens(
    _ issuer: String, _ audiences: [String], _ clientIDs: Expectation<String>, _ scopes: [String]
  ) -> AccessTokenRules {
    AccessTokenRules(
      issuers: [issuer], audiences: audiences, clientIDs: clientIDs, scopes: scopes, types: ["JWT", "at+jwt"])
  }

  /// Checks an issuer whose key set's address is derived from it.
  ///
  /// - Parameters:
  ///   - issuer: the issuer.
  ///   - kind: the kind of issuer, for the error.
  ///   - form: the expected form, for the error.
  ///   - hint: appended to the error.
  ///   - isValid: checks the segments of the path.
  /// - Throws: `identifierInvalid`.
  private static func check(
    _ issuer: String, kind: String, form: String, hint: String = "", isValid: ([String]) -> Bool
  ) throws(OpenIDError) {
    let address = try? HTTPURL(issuer)
    let path = (address?.path ?? "").parts(at: "/")
    // Without dot segments the path can be extended to the address of the keys.
    guard address != nil, address?.query == nil, path.allSatisfy({ $0 != "." && $0 != ".." }),
      isValid(Array(path.dropFirst()))
    else { throw .identifierInvalid(kind: kind, value: issuer, rule: "it is not \(form)\(hint)") }
  }

  private static let audienceIsNotClient = TokenCheck(
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
    TokenCheck.list("permissions", expected: name.quoted + " among them") { found in
      found.contains(name) ? nil : .permissionMissing(name, actual: found)
    }
  }
}
