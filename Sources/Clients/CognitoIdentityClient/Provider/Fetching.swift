internal import TokenSecurityBase

/// An identity, and the logins that it was requested with.
struct FoundIdentity: Sendable {
  let identityID: String
  let logins: [String: String]
  /// The developer's token that came with the identity; it can be exchanged for credentials.
  let token: IdentityCalls.IdentityToken?
}

/// The two flows from logins to an identity and its credentials.
extension IdentityProvider {
  /// Requests the identity of the current logins.
  func find() async throws(IdentityClientError) -> FoundIdentity {
    let logins = try await source.logins()
    if let developer, logins.hasLogin(developer.name) {
      let token = try await refreshed(developer, nil, logins)
      return FoundIdentity(identityID: token.identityID, logins: logins, token: token)
    }
    let identity = try await calls.identityID(poolID: poolID, accountID: accountID, logins: logins)
    return FoundIdentity(identityID: identity, logins: logins, token: nil)
  }

  /// Requests credentials for an identity and its logins.
  func fetch(_ found: FoundIdentity) async throws(IdentityClientError) -> IdentityCalls.IdentityCredentials {
    let logins = found.logins
    if let developer, logins.hasLogin(developer.name) {
      if let token = found.token { return try await exchange(token, isGuest: false) }
      // The application's own service calls the pool, and links the other logins.
      return try await exchange(try await refreshed(developer, found.identityID, logins), isGuest: false)
    }
    switch flow {
    case .enhanced(let customRole):
      return try await calls.credentials(for: found.identityID, logins: logins, customRole: customRole)
    case .basic:
      return try await exchange(
        try await calls.openIDToken(for: found.identityID, logins: logins), isGuest: logins.isEmpty)
    }
  }

  /// A token of the developer's user, for the cached identity or the user's own.
  private func refreshed(
    _ developer: any DeveloperProvider, _ known: String?, _ logins: [String: String]
  ) async throws(IdentityClientError) -> IdentityCalls.IdentityToken {
    let found: IdentityCalls.IdentityToken
    do throws(IdentityClientError) { found = try await token(of: developer, known, logins) } catch {
      // The pool merges no guest's identity into that of a developer's user.
      guard known != nil, error.isOfUserElsewhere else { throw error }
      found = try await token(of: developer, nil, logins)
    }
    guard let known, found.identityID != known else { return found }
    guard await replacesGuest(IdentityChange(old: known, new: found.identityID)) else {
      throw .identityKept(guest: known, user: found.identityID)
    }
    return found
  }

  private func token(
    of developer: any DeveloperProvider, _ known: String?, _ logins: [String: String]
  ) async throws(IdentityClientError) -> IdentityCalls.IdentityToken {
    let token = try await developer.refresh(identityID: known, logins: logins)
    guard RequestIDs.isIdentity(token.identityID) else {
      throw .developerFailed("\(token.identityID.quoted) is not an identity id")
    }
    return token
  }

  /// Exchanges a token of the pool for credentials.
  private func exchange(_ token: IdentityCalls.IdentityToken, isGuest: Bool) async throws(IdentityClientError)
    -> IdentityCalls.IdentityCredentials
  {
    switch flow {
    case .enhanced(let customRole):
      return try await calls.credentials(
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

/// Logins compared by bytes: a dictionary of `String` compares by Unicode equivalence.
extension [String: String] {
  /// True if there is a login of this provider.
  func hasLogin(_ provider: String) -> Bool { contains { $0.key == provider } }

  /// True if both have the same providers with the same values.
  func hasSameLogins(as other: [String: String]) -> Bool {
    count == other.count
      && allSatisfy { mine in other.contains { $0.key == mine.key && $0.value == mine.value } }
  }
}
