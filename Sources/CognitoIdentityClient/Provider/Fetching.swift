internal import TokenSecurityEncodings

/// An identity that was found, and what it was found with.
struct FoundIdentity: Sendable {
  let identityID: String
  let logins: [String: String]
  /// The developer's token, which brought the identity and brings its credentials.
  let token: IdentityCalls.IdentityToken?
}

/// The flows: from logins to an identity, and to its credentials.
extension IdentityProvider {
  /// The identity of the logins that there are.
  func find() async throws(IdentityClientError) -> FoundIdentity {
    let logins = try await source.logins()
    if let developer, logins.hasLogin(developer.name) {
      let token = try await refreshed(developer, nil, logins)
      return FoundIdentity(identityID: token.identityID, logins: logins, token: token)
    }
    let identity = try await calls.getID(poolID: poolID, logins: logins)
    return FoundIdentity(identityID: identity, logins: logins, token: nil)
  }

  /// Credentials for an identity and its logins.
  func fetch(_ found: FoundIdentity) async throws(IdentityClientError) -> IdentityCalls.IdentityCredentials {
    let logins = found.logins
    if let developer, logins.hasLogin(developer.name) {
      if let token = found.token { return try await exchange(token, isGuest: false) }
      // The application's own service asks the pool, and links what else there is.
      return try await exchange(try await refreshed(developer, found.identityID, logins), isGuest: false)
    }
    switch flow {
    case .enhanced(let customRole):
      return try await calls.getCredentials(for: found.identityID, logins: logins, customRole: customRole)
    case .basic:
      return try await exchange(
        try await calls.getOpenIDToken(found.identityID, logins: logins), isGuest: logins.isEmpty)
    }
  }

  private func refreshed(
    _ developer: any DeveloperProvider, _ known: String?, _ logins: [String: String]
  ) async throws(IdentityClientError) -> IdentityCalls.IdentityToken {
    let token = try await developer.refresh(identityID: known, logins: logins)
    guard RequestIDs.isIdentity(token.identityID) else {
      throw .developerFailed("\(token.identityID.quoted) is not an identity's id")
    }
    return token
  }

  /// Credentials for a token of the pool's.
  private func exchange(_ token: IdentityCalls.IdentityToken, isGuest: Bool) async throws(IdentityClientError)
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

/// Logins by their bytes: a dictionary of `String` compares by Unicode equivalence.
extension [String: String] {
  /// True where there is a login of this provider.
  func hasLogin(_ provider: String) -> Bool { contains { $0.key == provider } }

  /// True where both have the same providers with the same values.
  func hasSameLogins(as other: [String: String]) -> Bool {
    count == other.count
      && allSatisfy { mine in other.contains { $0.key == mine.key && $0.value == mine.value } }
  }
}
