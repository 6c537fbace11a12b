internal import TokenSecurityEncodings
public import JOSE

extension TrustedIssuer {
  /// Access tokens of one of Okta's custom authorization servers.
  ///
  /// They have no `typ` in the header, the client in `cid` and the scopes in the array `scp` (Okta's "OpenID Connect &
  /// OAuth 2.0 API", section "Access token"). ID tokens have no `cid`, and are refused. Access tokens of the org
  /// authorization server, whose issuer has no path, are for Okta's own interfaces: Okta documents that no one else can
  /// verify them.
  ///
  /// - Parameters:
  ///   - issuer: the authorization server: `https://DOMAIN/oauth2/NAME`, `default` for instance.
  ///   - audiences: the audience that the authorization server has for the interface, `api://default` for instance.
  ///   - clientIDs: the clients that may have asked for the token.
  ///   - scopes: scopes that must be there, all of them.
  /// - Throws: `identifierInvalid` where `issuer` is none of a custom authorization server.
  public static func okta(
    issuer: String, audiences: [String], clientIDs: Expectation<String>, scopes: [String] = []
  ) throws(OpenIDError) -> TrustedIssuer {
    let path = try IssuerAddress.path(
      of: issuer, kind: "issuer of an Okta authorization server", form: "https://DOMAIN/oauth2/NAME")
    guard path.count == 2, path[0] == "oauth2", !path[1].isEmpty else {
      throw .identifierInvalid(
        kind: "issuer of an Okta authorization server", value: issuer,
        rule:
          "it is not https://DOMAIN/oauth2/NAME; the tokens of an issuer without a path are for Okta alone")
    }
    var rules = AccessTokenRules(
      issuers: [issuer], audiences: audiences, clientIDs: clientIDs, scopes: scopes, types: ["JWT", "at+jwt"])
    rules.acceptsMissingType = true
    rules.clientClaims = ["cid"]
    rules.scopeClaim = .array("scp")
    rules.algorithms = [.rs256]
    return TrustedIssuer(
      policy: rules.policy, keys: .remote(try .address(issuer + "/v1/keys")))
  }
}
