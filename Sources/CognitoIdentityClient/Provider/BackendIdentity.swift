/// An identity and its token that an application's own service has sent to the device, where the device has no other way
/// to that service.
///
///     let given = BackendIdentity(identityID: id, token: token)
///     let provider = try IdentityProvider(poolID: pool, calls: calls, logins: given, developer: given)
///
/// It works in both flows, for as long as the token is valid; afterwards the service refuses, and the application gets
/// another token.
public struct BackendIdentity: LoginsSource, DeveloperProvider {
  /// The name under which the pool takes its own tokens.
  public let name = "cognito-identity.amazonaws.com"
  private let token: IdentityCalls.IdentityToken

  /// - Parameters:
  ///   - identityID: the identity.
  ///   - token: its token, from `GetOpenIdTokenForDeveloperIdentity`.
  public init(identityID: String, token: String) {
    self.token = IdentityCalls.IdentityToken(identityID: identityID, token: token)
  }

  public func logins() async throws(IdentityClientError) -> [String: String] { [name: token.token] }

  public func refresh(
    identityID: String?, logins: [String: String]
  ) async throws(IdentityClientError) -> IdentityCalls.IdentityToken { token }
}
