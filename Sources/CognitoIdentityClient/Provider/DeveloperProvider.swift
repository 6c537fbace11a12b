internal import TokenSecurityEncodings

/// The application's own way to its own service, which signs users in as it likes and asks the pool for their tokens.
///
/// `refresh` is called when a token is needed, and never for nothing: it asks the application's service, which calls
/// `GetOpenIdTokenForDeveloperIdentity` with its own credentials. Those never come near a device.
public protocol DeveloperProvider: Sendable {
  /// The developer provider's name as the pool has it, `login.my.app` for instance.
  var name: String { get }

  /// A token for whoever is signed in.
  ///
  /// - Parameters:
  ///   - identityID: the identity that is known on this device, to which logins may be linked; nil where there is none.
  ///   - logins: what ``LoginsSource`` gave: the developer provider with the user, and public providers with their tokens.
  /// - Throws: `developerFailed`.
  func refresh(identityID: String?, logins: [String: String]) async throws(IdentityClientError)
    -> IdentityCalls.IdentityToken
}

/// Which logins there are on this device: providers' names, with their tokens, or for the developer provider the user's
/// identifier. It is asked only when there are no credentials, or when they have expired.
public protocol LoginsSource: Sendable {
  /// The logins; none for a guest.
  func logins() async throws(IdentityClientError) -> [String: String]
}

/// Logins that are given as values.
public struct StaticLogins: LoginsSource {
  private let values: [String: String]

  public init(_ values: [String: String]) { self.values = values }

  public func logins() async throws(IdentityClientError) -> [String: String] { values }
}

/// Where an identity is remembered between starts.
public protocol IdentityStateStore: Sendable {
  /// What was kept; nil where nothing was.
  func load() throws(IdentityClientError) -> StoredIdentity?
  /// Keeps `state` in the place of what was kept; nil forgets it.
  func save(_ state: StoredIdentity?) throws(IdentityClientError)
}

/// What is remembered of an identity. No credentials and no token: both are had again.
public struct StoredIdentity: Sendable, Hashable {
  /// The pool that it is of.
  public let poolID: String
  /// The identity.
  public let identityID: String

  public init(poolID: String, identityID: String) {
    self.poolID = poolID
    self.identityID = identityID
  }
}

/// A change of the identity on this device.
public struct IdentityChange: Sendable, Hashable {
  /// The identity before; nil where there was none.
  public let old: String?
  /// The identity now; nil after ``IdentityProvider/clearKeychain()``.
  public let new: String?
}
