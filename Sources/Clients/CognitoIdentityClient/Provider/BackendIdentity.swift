/// An identity and its token from an application's own service, for devices that cannot call that service
/// themselves.
///
///     let backend = BackendIdentity(identityID: id, token: token)
///     let provider = try IdentityProvider(poolID: pool, calls: calls, logins: backend, developer: backend)
///
/// Works in both flows while the token is valid. After that the service refuses it, and the application needs
/// another token.
public struct BackendIdentity: LoginsSource, DeveloperProvider {
  /// The login name of the pool's own tokens.
  public let name = "cognito-identity.amazonaws.com"
  private let token: IdentityCalls.IdentityToken

  /// Creates a source for one identity.
  ///
  /// - Parameters:
  ///   - identityID: the identity.
  ///   - token: its token, from `GetOpenIdTokenForDeveloperIdentity`.
  public init(identityID: String, token: String) {
    self.token = IdentityCalls.IdentityToken(identityID: identityID, token: token)
  }

  /// The token as the only login.
  ///
  /// - Returns: the token by its login name.
  /// - Throws: nothing.
  public func logins() async throws(IdentityClientError) -> [String: String] { [name: token.token] }

  /// The identity and token that were passed to the initializer.
  ///
  /// - Parameters:
  ///   - identityID: not used.
  ///   - logins: not used.
  /// - Returns: the identity and its token.
  /// - Throws: nothing.
  public func refresh(
    identityID: String?, logins: [String: String]
  ) async throws(IdentityClientError) -> IdentityCalls.IdentityToken { token }
}
