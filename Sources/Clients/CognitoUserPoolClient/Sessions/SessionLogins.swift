public import CognitoIdentityClient
internal import OpenIDConnect
internal import TokenSecurityBase

// A signed-in user's ID token is a login of identity pools.
extension UserPoolSessions: LoginsSource {
  /// The name of the pool in logins: `cognito-idp.REGION.amazonaws.com/POOL`, also for a pool that another service
  /// than AWS has.
  public nonisolated var loginName: String {
    (try? CognitoUserPoolIssuer(client.pool.id))?.issuer.rest(after: "https://") ?? client.pool.id
  }

  /// The current user's ID token by ``loginName``; empty for a guest.
  ///
  /// - Returns: the login.
  /// - Throws: `unreachable` if the token cannot be refreshed now; `stateUnavailable` if the store fails;
  ///   `loginsUnavailable` otherwise. No identity is given up for any of them.
  public func logins() async throws(IdentityClientError) -> [String: String] {
    guard currentUsername != nil else { return [:] }
    do throws(UserPoolClientError) {
      return [loginName: try await tokens().idToken]
    } catch {
      switch error {
      case .unreachable(let reason): throw .unreachable(reason)
      case .storeUnavailable(let reason): throw .stateUnavailable(reason)
      default: throw .loginsUnavailable("\(error)")
      }
    }
  }
}
