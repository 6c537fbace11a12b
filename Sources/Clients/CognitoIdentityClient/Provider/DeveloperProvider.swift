internal import TokenSecurityBase

/// Calls the application's own service, which signs users in and requests tokens for them from the pool.
///
/// The application's service calls `GetOpenIdTokenForDeveloperIdentity` with its own credentials, which never
/// reach a device. `refresh` is called only when a token is needed.
public protocol DeveloperProvider: Sendable {
  /// The developer provider's name in the pool, such as `login.my.app`.
  var name: String { get }

  /// Requests a token for the current user.
  ///
  /// A user who has an identity cannot take a guest's: where the pool refuses `identityID` with
  /// `DeveloperUserAlreadyRegisteredException`, throw `refused` with this type. `refresh` is then called without an identity,
  /// and the provider goes on with the user's.
  ///
  /// - Parameters:
  ///   - identityID: the identity cached on this device, which logins may be linked to; nil without one, and for the
  ///     user's own.
  ///   - logins: the logins from ``LoginsSource``: the developer provider with the user, and public providers
  ///     with their tokens.
  /// - Returns: the identity and its token.
  /// - Throws: `developerFailed`; `refused` for an identity that the pool refuses.
  func refresh(identityID: String?, logins: [String: String]) async throws(IdentityClientError)
    -> IdentityCalls.IdentityToken
}

/// The logins on this device. They are read when there are no credentials, or when the credentials have
/// expired.
public protocol LoginsSource: Sendable {
  /// The current logins.
  ///
  /// - Returns: tokens by provider name; for the developer provider the user's identifier. Empty for a guest.
  /// - Throws: any ``IdentityClientError``; the call that needs the logins throws it.
  func logins() async throws(IdentityClientError) -> [String: String]
}

/// Logins that do not change.
public struct StaticLogins: LoginsSource {
  private let values: [String: String]

  /// Creates a source.
  ///
  /// - Parameter values: tokens by provider name.
  public init(_ values: [String: String]) { self.values = values }

  /// The logins that were passed to the initializer.
  ///
  /// - Returns: tokens by provider name.
  /// - Throws: nothing.
  public func logins() async throws(IdentityClientError) -> [String: String] { values }
}

/// Stores an identity between starts of an application.
public protocol IdentityStateStore: Sendable {
  /// Reads the stored identity.
  ///
  /// - Returns: the identity; nil if none is stored.
  /// - Throws: `stateUnavailable`.
  func load() throws(IdentityClientError) -> StoredIdentity?

  /// Replaces the stored identity.
  ///
  /// - Parameter state: the identity; nil removes the stored one.
  /// - Throws: `stateUnavailable`.
  func save(_ state: StoredIdentity?) throws(IdentityClientError)
}

/// An identity as it is stored, without credentials and tokens: both are requested again.
public struct StoredIdentity: Sendable, Hashable {
  /// The identity's pool.
  public let poolID: String
  /// The identity.
  public let identityID: String

  /// Creates a value to store.
  ///
  /// - Parameters:
  ///   - poolID: the identity's pool.
  ///   - identityID: the identity.
  public init(poolID: String, identityID: String) {
    self.poolID = poolID
    self.identityID = identityID
  }
}

/// A change of the identity on this device.
public struct IdentityChange: Sendable, Hashable {
  /// The previous identity; nil if there was none.
  public let old: String?
  /// The new identity; nil after ``IdentityProvider/clearIdentity()``.
  public let new: String?
}
