public import TokenLifetime
internal import TokenSecurityEncodings

/// Where pools, identities and what belongs to them are kept.
///
/// All that must hold together is done in one transaction: a `write` that throws leaves everything as it was, and one
/// that returns is kept, even when the machine loses power in the next moment. Writes come one after the other; reads see the
/// state between two writes.
public protocol IdentityStore: Sendable {
  /// Looks at the store. It is meant to be brief, and does not wait for writes.
  func read<R: Sendable>(
    _ body: @Sendable (any IdentityReading) throws(IdentityError) -> R
  ) throws(IdentityError) -> R

  /// Changes the store, wholly or not at all.
  func write<R: Sendable>(
    _ body: @escaping @Sendable (any IdentityWriting) throws(IdentityError) -> R
  ) async throws(IdentityError) -> R
}

/// What can be looked at in a transaction. Names are compared by their bytes.
///
/// Every call throws `storeFailed` where the store cannot be read. Lists leave out entries that cannot be read.
public protocol IdentityReading {
  func pool(_ id: String) throws(IdentityError) -> IdentityPool?
  /// True where there is such a pool, also one that cannot be read.
  func hasPool(_ id: String) throws(IdentityError) -> Bool
  /// How many pools there are, with those that cannot be read.
  func poolCount() throws(IdentityError) -> Int
  /// Pools in the order of their ids, those behind `id`.
  func pools(after id: String?, limit: Int) throws(IdentityError) -> [IdentityPool]
  func identity(_ id: String) throws(IdentityError) -> Identity?
  /// Identities of a pool in the order of their ids, those behind `id`.
  func identities(inPool poolID: String, after id: String?, limit: Int, includingMerged: Bool)
    throws(IdentityError) -> [Identity]
  func login(inPool poolID: String, kind: LinkedLogin.Kind, provider: String, user: String)
    throws(IdentityError) -> LinkedLogin?
  /// Logins of an identity in the order in which they were linked.
  func logins(of identityID: String) throws(IdentityError) -> [LinkedLogin]
  func role(_ arn: String) throws(IdentityError) -> StoredRole?
  func roles() throws(IdentityError) -> [StoredRole]
  func loginProvider(_ name: String) throws(IdentityError) -> LoginProviderSettings?
  func loginProviders() throws(IdentityError) -> [LoginProviderSettings]
  /// Signing keys in the order in which they sign.
  func signingKeys() throws(IdentityError) -> [StoredSigningKey]
  func accessKey(_ id: String) throws(IdentityError) -> StoredAccessKey?
  func accessKeys() throws(IdentityError) -> [StoredAccessKey]
}

/// What can be changed in a transaction.
///
/// Every `put` calls the value's `check()` first (``StoredValue``), and throws what it throws.
public protocol IdentityWriting: IdentityReading {
  /// Puts a pool in, in the place of one with its id.
  func put(_ pool: IdentityPool) throws(IdentityError)
  /// Removes a pool with its identities and their logins.
  func removePool(_ id: String) throws(IdentityError)
  /// Puts an identity in, in the place of one with its id.
  func put(_ identity: Identity) throws(IdentityError)
  /// Removes an identity with its logins.
  func removeIdentity(_ id: String) throws(IdentityError)
  /// Puts a login in, in the place of one of the same user.
  func put(_ login: LinkedLogin) throws(IdentityError)
  func removeLogin(inPool poolID: String, kind: LinkedLogin.Kind, provider: String, user: String)
    throws(IdentityError)
  func put(_ role: StoredRole) throws(IdentityError)
  func removeRole(_ arn: String) throws(IdentityError)
  func put(_ provider: LoginProviderSettings) throws(IdentityError)
  func removeLoginProvider(_ name: String) throws(IdentityError)
  func put(_ key: StoredSigningKey) throws(IdentityError)
  func removeSigningKey(_ keyID: String) throws(IdentityError)
  func put(_ key: StoredAccessKey) throws(IdentityError)
  func removeAccessKey(_ id: String) throws(IdentityError)
}

/// A role as it is stored: its trust policy as text, which was judged when it was put in.
public struct StoredRole: Sendable, Hashable {
  public let arn: String
  /// The trust policy's JSON.
  public var trustPolicy: String
  /// The longest session: 3,600 to 43,200 whole seconds.
  public var longestSession: Duration

  public init(arn: String, trustPolicy: String, longestSession: Duration = .seconds(3_600)) {
    self.arn = arn
    self.trustPolicy = trustPolicy
    self.longestSession = longestSession
  }
}

/// What is known of a login provider besides what pools say.
public struct LoginProviderSettings: Sendable, Hashable {
  /// Its name, as in `Logins`.
  public let name: String
  /// Our client ids there, for OpenID providers, of whom pools know no audience.
  public var clientIDs: [String]
  /// A JWK set that is used in the place of the provider's own; nil where it is fetched.
  public var keys: String?

  public init(name: String, clientIDs: [String] = [], keys: String? = nil) {
    self.name = name
    self.clientIDs = clientIDs
    self.keys = keys
  }
}

/// A key that signs tokens, sealed.
public struct StoredSigningKey: Sendable, Hashable {
  public let keyID: String
  /// When it was first published.
  public let published: Timestamp
  /// When it begins to sign.
  public var signsFrom: Timestamp
  /// The private key, sealed.
  public let sealed: [UInt8]

  public init(keyID: String, published: Timestamp, signsFrom: Timestamp, sealed: [UInt8]) {
    self.keyID = keyID
    self.published = published
    self.signsFrom = signsFrom
    self.sealed = sealed
  }
}

/// An access key of a developer, its secret sealed.
public struct StoredAccessKey: Sendable, Hashable {
  public let id: String
  public let created: Timestamp
  /// What the operator calls it.
  public var note: String
  /// The secret, sealed.
  public let sealed: [UInt8]
  /// Which pools and which calls it opens.
  public let scope: AccessKeyScope

  /// A key as a store keeps it.
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
