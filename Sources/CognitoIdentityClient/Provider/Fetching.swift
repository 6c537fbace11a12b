/// The flows: from logins to credentials.
extension IdentityProvider {
  /// Identity and credentials for these logins.
  func fetch(_ known: String?, _ logins: [String: String]) async throws(ClientFault)
    -> IdentityCalls.IdentityCredentials
  {
    if let developer, logins[developer.name] != nil {
      // The application's own service asks the pool, and links what else there is.
      let token = try await developer.refresh(identityID: known, logins: logins)
      return try await exchange(token, isGuest: false)
    }
    let identity: String
    if let known {
      identity = known
    } else {
      identity = try await calls.getID(poolID: poolID, logins: logins)
    }
    switch flow {
    case .enhanced(let customRole):
      return try await calls.getCredentials(for: identity, logins: logins, customRole: customRole)
    case .basic:
      return try await exchange(
        try await calls.getOpenIDToken(identity, logins: logins), isGuest: logins.isEmpty)
    }
  }

  /// Credentials for a token of the pool's.
  private func exchange(_ token: IdentityCalls.IdentityToken, isGuest: Bool) async throws(ClientFault)
    -> IdentityCalls.IdentityCredentials
  {
    switch flow {
    case .enhanced(let customRole):
      return try await calls.getCredentials(
        for: token.identityID, logins: ["cognito-identity.amazonaws.com": token.token], customRole: customRole
      )
    case .basic(let authenticated, let unauthenticated):
      guard let role = isGuest ? unauthenticated : authenticated else {
        throw .configurationInvalid(rule: "there is no role for guests")
      }
      return IdentityCalls.IdentityCredentials(
        identityID: token.identityID, credentials: try await calls.assumeRole(role, token: token.token))
    }
  }
}
