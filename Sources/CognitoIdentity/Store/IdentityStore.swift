public import TokenLifetime
internal import TokenSecurityEncodings

/// A store of pools, identities, logins, roles and keys.
///
/// Writes are transactions: a `write` that throws changes nothing, and one that returns is durable. Writes
/// are serialized; a read sees the state between two writes.
public protocol IdentityStore: Sendable {
  /// Reads the store. Does not wait for writes; `body` should be brief.
  func read<R: Sendable>(
    _ body: @Sendable (any IdentityReading) throws(IdentityError) -> R
  ) throws(IdentityError) -> R

  /// Changes the store in one transaction.
  func write<R: Sendable>(
    _ body: @escaping @Sendable (any IdentityWriting) throws(IdentityError) -> R
  ) async throws(IdentityError) -> R
}

/// Reads within a transaction. Names are compared by their bytes.
///
/// Every call throws `storeFailed` where the store cannot be read. Lists leave out entries that cannot be
/// read.
public protocol IdentityReading {
  /// Returns a pool by its id.
  func pool(_ id: String) throws(IdentityError) -> IdentityPool?
  /// Returns true where a pool exists, even one that cannot be read.
  func hasPool(_ id: String) throws(IdentityError) -> Bool
  /// Returns the number of pools, those that cannot be read included.
  func poolCount() throws(IdentityError) -> Int
  /// Returns pools with ids after `id`, ordered by id.
  func pools(after id: String?, limit: Int) throws(IdentityError) -> [IdentityPool]
  /// Returns an identity by its id.
  func identity(_ id: String) throws(IdentityError) -> Identity?
  /// Returns identities of a pool with ids after `id`, ordered by id.
  func identities(inPool poolID: String, after id: String?, limit: Int, includingMerged: Bool)
    throws(IdentityError) -> [Identity]
  /// Returns a login by its key.
  func login(inPool poolID: String, kind: LinkedLogin.Kind, provider: String, user: String)
    throws(IdentityError) -> LinkedLogin?
  /// Returns an identity's logins in the order of linking.
  func logins(of identityID: String) throws(IdentityError) -> [LinkedLogin]
  /// Returns a role by its ARN.
  func role(_ arn: String) throws(IdentityError) -> StoredRole?
  /// Returns all roles, ordered by ARN.
  func roles() throws(IdentityError) -> [StoredRole]
  /// Returns a login provider's settings by its name.
  func loginProvider(_ name: String) throws(IdentityError) -> LoginProviderSettings?
  /// Returns all login providers' settings, ordered by name.
  func loginProviders() throws(IdentityError) -> [LoginProviderSettings]
  /// Returns all signing keys in signing order.
  func signingKeys() throws(IdentityError) -> [StoredSigningKey]
  /// Returns an access key by its id.
  func accessKey(_ id: String) throws(IdentityError) -> StoredAccessKey?
  /// Returns all access keys, ordered by id.
  func accessKeys() throws(IdentityError) -> [StoredAccessKey]
}

/// Reads and writes within a transaction.
///
/// Every `put` adds a value or replaces the one with its key. It calls the value's `check()`
/// (``StoredValue``) first and throws its errors.
public protocol IdentityWriting: IdentityReading {
  /// Adds or replaces a pool.
  func put(_ pool: IdentityPool) throws(IdentityError)
  /// Removes a pool with its identities and their logins.
  func removePool(_ id: String) throws(IdentityError)
  /// Adds or replaces an identity.
  func put(_ identity: Identity) throws(IdentityError)
  /// Removes an identity with its logins.
  func removeIdentity(_ id: String) throws(IdentityError)
  /// Adds or replaces a login.
  func put(_ login: LinkedLogin) throws(IdentityError)
  /// Removes a login.
  func removeLogin(inPool poolID: String, kind: LinkedLogin.Kind, provider: String, user: String)
    throws(IdentityError)
  /// Adds or replaces a role.
  func put(_ role: StoredRole) throws(IdentityError)
  /// Removes a role.
  func removeRole(_ arn: String) throws(IdentityError)
  /// Adds or replaces a login provider's settings.
  func put(_ provider: LoginProviderSettings) throws(IdentityError)
  /// Removes a login provider's settings.
  func removeLoginProvider(_ name: String) throws(IdentityError)
  /// Adds or replaces a signing key.
  func put(_ key: StoredSigningKey) throws(IdentityError)
  /// Removes a signing key.
  func removeSigningKey(_ keyID: String) throws(IdentityError)
  /// Adds or replaces an access key.
  func put(_ key: StoredAccessKey) throws(IdentityError)
  /// Removes an access key.
  func removeAccessKey(_ id: String) throws(IdentityError)
}

/// A stored role.
public struct StoredRole: Sendable, Hashable {
  /// The role's ARN.
  public let arn: String
  /// The trust policy's JSON.
  public var trustPolicy: String
  /// The longest session: 3,600 to 43,200 whole seconds.
  public var longestSession: Duration

  /// Makes a role.
  ///
  /// - Parameters:
  ///   - arn: the role's ARN.
  ///   - trustPolicy: the trust policy's JSON.
  ///   - longestSession: the longest session. Default: one hour.
  public init(arn: String, trustPolicy: String, longestSession: Duration = .seconds(3_600)) {
    self.arn = arn
    self.trustPolicy = trustPolicy
    self.longestSession = longestSession
  }
}

/// Settings of a login provider that apply to all pools.
public struct LoginProviderSettings: Sendable, Hashable {
  /// The provider's name in `Logins`.
  public let name: String
  /// The accepted audiences of an OpenID provider's tokens. For other providers the pool has them.
  public var clientIDs: [String]
  /// A JWK set to use instead of the provider's own; nil to fetch the provider's.
  public var keys: String?

  /// Makes settings.
  ///
  /// - Parameters:
  ///   - name: the provider's name.
  ///   - clientIDs: the accepted audiences. Default: none.
  ///   - keys: a JWK set. Default: the provider's own.
  public init(name: String, clientIDs: [String] = [], keys: String? = nil) {
    self.name = name
    self.clientIDs = clientIDs
    self.keys = keys
  }
}

/// A stored signing key.
public struct StoredSigningKey: Sendable, Hashable {
  /// The key's id (`kid`).
  public let keyID: String
  /// When it was first published.
  public let published: Timestamp
  /// When it begins to sign.
  public var signsFrom: Timestamp
  /// The sealed private key.
  public let sealed: [UInt8]

  /// Makes a key from its parts.
  public init(keyID: String, published: Timestamp, signsFrom: Timestamp, sealed: [UInt8]) {
    self.keyID = keyID
    self.published = published
    self.signsFrom = signsFrom
    self.sealed = sealed
  }
}

/// A stored access key of a developer.
public struct StoredAccessKey: Sendable, Hashable {
  /// The access key's id.
  public let id: String
  /// When it was made.
  public let created: Timestamp
  /// The operator's note.
  public var note: String
  /// The sealed secret.
  public let sealed: [UInt8]
  /// The pools and calls that it allows.
  public let scope: AccessKeyScope

  /// Makes a key from its parts.
  public init(
    id: String, created: Timestamp, note: String, sealed: [UInt8], scope: AccessKeyScope = .everything
  ) {
    self.id = id
    self.created = created
    self.note = note
    self.sealed = sealed
    self.scope = scope
  }
}
