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
  /// - Throws: `configurationInvalid` for a text that is not an ID token; `refused`, `responseMalformed`, `unreachable`,
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
    guard token.utf8.count <= 50_000 else { return nil }
    let parts = token.parts(at: ".")
    guard parts.count == 3, let bytes = try? Base64URL.decode(parts[1]),
      let claims = (try? JSONValue(parsing: bytes))?.object, let issuer = claims["iss"]?.string
    else { return nil }
    if claims["token_use"]?.string == "id", let pool = try? UserPoolID(issuer.lastPart(at: "/")) {
      return "\(AWSRegion.userPoolHost(in: pool.region.description))/\(pool)"
    }
    let name = issuer.rest(after: "https://") ?? issuer
    return name.isEmpty ? nil : name
  }
}
