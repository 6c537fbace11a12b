internal import TokenSecurityBase

/// Credentials for a user who has an ID token, in one call.
extension IdentityCalls {
  /// `GetId` and `GetCredentialsForIdentity` for the user of an ID token, in the enhanced flow.
  ///
  ///     let credentials = try await calls.credentials(forIDToken: token, poolID: pool).credentials
  ///
  /// The login's name is made from the token's `iss`, which is not verified here: the service verifies the token. A program
  /// that needs credentials again and again keeps an ``IdentityProvider``, which remembers the identity.
  ///
  /// - Parameters:
  ///   - token: an ID token of an OpenID provider or of a user pool.
  ///   - poolID: the identity pool.
  ///   - customRole: the ARN of one of the login's roles. Default: the pool decides.
  /// - Returns: the identity and its credentials.
  /// - Throws: `configurationInvalid` for a text that is no ID token; `refused`, `responseMalformed`, `unreachable`,
  ///   `credentialsUnusable`.
  public func credentials(
    forIDToken token: String, poolID: String, customRole: String? = nil
  ) async throws(IdentityClientError) -> IdentityCredentials {
    guard let name = Self.loginName(ofIDToken: token) else {
      throw .configurationInvalid(
        rule: "the token is no ID token with an iss; for a login of another kind, pass logins by name")
    }
    let logins = [name: token]
    let identity = try await identityID(poolID: poolID, logins: logins)
    return try await credentials(for: identity, logins: logins, customRole: customRole)
  }

  /// The name of the login to which a token belongs: `iss` without `https://`, and for the tokens of user pools the
  /// pool's name at AWS, whatever issuer their service has.
  static func loginName(ofIDToken token: String) -> String? {
    let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, token.utf8.count <= 50_000, let payload = String(parts[1]),
      let bytes = try? Base64URL.decode(payload), let claims = (try? JSONValue(parsing: bytes))?.object,
      let issuer = claims["iss"]?.string
    else { return nil }
    if claims["token_use"]?.string == "id", let name = userPoolName(ofIssuer: issuer) { return name }
    let scheme = "https://"
    let name = issuer.hasPrefix(scheme) ? String(issuer.utf8.dropFirst(scheme.utf8.count)) : issuer
    return name?.isEmpty == false ? name : nil
  }

  private static func userPoolName(ofIssuer issuer: String) -> String? {
    guard let last = issuer.utf8.split(separator: UInt8(ascii: "/")).last, let id = String(last),
      let pool = try? UserPoolID(id)
    else { return nil }
    return "\(pool.region.host(of: "cognito-idp"))/\(pool)"
  }
}
