public import Records

/// User pools as Amazon Cognito has them, over a store and without a network.
///
/// ``UserPoolOperations`` performs operations of requests. The service makes the objects that have the rules, each with
/// the dependencies that it names, and has none itself.
public final class UserPoolService: Sendable {
  /// The store of pools, users and keys.
  public let store: any RecordStore
  /// The service's region, account, issuer and limits.
  public let settings: Settings
  /// The data that pools publish for those who verify their tokens.
  public let published: PublishedMetadata
  /// Maintenance at intervals.
  public let maintenance: PoolMaintenance

  package let secrets: UserPoolSecrets
  /// How much may wait in the outbox.
  package let outbox: OutboxCapacity
  /// Bounds the calls for a name that prove nothing.
  let strangers = StrangersCounts()
  /// The keys of all pools.
  package let keyRings: PoolKeyRings
  package let passwords: PasswordChecks
  package let messages: UserMessages
  package let callers: Callers
  package let sessions: Sessions
  package let signUps: SignUps
  package let passwordRecovery: PasswordRecovery
  package let ownAccounts: OwnAccounts
  package let factors: SecondFactors
  package let devices: DeviceTracking
  package let signIns: SignIns
  package let users: Users
  package let groups: Groups
  package let pools: Pools
  package let clients: AppClients

  /// A service's region, account, issuer and limits.
  public struct Settings: Sendable, Hashable {
    /// The region: the first part of pool ids.
    public var region: String
    /// The account in ARNs, 12 digits.
    public var account: String
    /// The part of `iss` before the slash and the pool's id; nil for Cognito's own addresses, of which each pool
    /// chooses one.
    public var issuerPrefix: String?
    /// Maximum number of pools.
    public var poolLimit: Int
    /// Maximum number of clients of a pool.
    public var clientLimit: Int
    /// How many computations with passwords run at once. Default: one for each processor.
    public var computationThreads = ComputationThreads.processors
    /// Maximum number of computations with passwords that wait; further calls get TooManyRequests. Default: 512.
    public var waitingComputations = 512
    /// The schedule of signing keys. Default: a new key every 30 days.
    public var rotation = RotationRule()

    /// `iss` of the pools' tokens.
    public var issuers: PoolIssuers { PoolIssuers(region: region, prefix: issuerPrefix) }

    /// Makes settings.
    ///
    /// - Parameters:
    ///   - region: the region. Default: `us-east-1`.
    ///   - account: the account, 12 digits. Default: the account of AWS's examples.
    ///   - issuerPrefix: the issuer without the pool's id. Default: Cognito's own addresses.
    ///   - poolLimit: the most pools. Default: 1,000.
    ///   - clientLimit: the most clients of a pool. Default: 1,000.
    public init(
      region: String = "us-east-1", account: String = "123456789012", issuerPrefix: String? = nil,
      poolLimit: Int = 1_000, clientLimit: Int = 1_000
    ) {
      self.region = region
      self.account = account
      self.issuerPrefix = issuerPrefix
      self.poolLimit = poolLimit
      self.clientLimit = clientLimit
    }
  }

  /// Makes a service over `store`.
  ///
  /// - Parameters:
  ///   - store: the store of pools, users and keys, with ``UserPoolTables/all``.
  ///   - secrets: the keys that seal stored secrets.
  ///   - settings: the service's region, account, issuer and limits.
  ///   - hooks: the functions of pools. Default: none.
  ///   - keyMaker: makes the pools' signing keys. Default: libcrypto, when a key is needed.
  public convenience init(
    store: any RecordStore, secrets: UserPoolSecrets, settings: Settings = Settings(),
    hooks: (any UserPoolHooks)? = nil, keyMaker: SigningKeyMaker = .generating
  ) {
    self.init(
      store: store, secrets: secrets, settings: settings, hooks: HookRunner(hooks), outbox: OutboxCapacity(),
      keyMaker: keyMaker)
  }

  /// Makes a service with limits of its own for hooks and outbox.
  package init(
    store: any RecordStore, secrets: UserPoolSecrets, settings: Settings = Settings(), hooks: HookRunner,
    outbox: OutboxCapacity, keyMaker: SigningKeyMaker = .generating
  ) {
    (self.store, self.secrets, self.settings, self.outbox) = (store, secrets, settings, outbox)
    let issuers = settings.issuers
    let threads = ComputationThreads(
      count: settings.computationThreads, waitingLimit: settings.waitingComputations)
    keyRings = PoolKeyRings(store: store, secrets: secrets, rule: settings.rotation, maker: keyMaker)
    published = PublishedMetadata(store: store, keyRings: keyRings, issuers: issuers)
    maintenance = PoolMaintenance(store: store, keyRings: keyRings)
    passwords = PasswordChecks(secrets: secrets, threads: threads)
    messages = UserMessages(store: store, secrets: secrets, hooks: hooks, outbox: outbox)
    callers = Callers(store: store, keyRings: keyRings, issuers: issuers)
    sessions = Sessions(
      store: store, secrets: secrets, hooks: hooks, keyRings: keyRings, issuers: issuers, callers: callers)
    let attributes = AttributeChanges(store: store, secrets: secrets, messages: messages)
    let migratedUsers = MigratedUsers(store: store, passwords: passwords)
    let calls = NamedCalls(store: store, secrets: secrets, strangers: strangers)
    signUps = SignUps(
      store: store, secrets: secrets, calls: calls, hooks: hooks, passwords: passwords, messages: messages)
    passwordRecovery = PasswordRecovery(
      store: store, calls: calls, hooks: hooks, passwords: passwords, messages: messages,
      migratedUsers: migratedUsers)
    ownAccounts = OwnAccounts(
      store: store, secrets: secrets, callers: callers, passwords: passwords, messages: messages,
      attributes: attributes)
    factors = SecondFactors(store: store, secrets: secrets, callers: callers)
    devices = DeviceTracking(store: store, secrets: secrets, callers: callers, account: settings.account)
    signIns = SignIns(
      store: store, secrets: secrets, strangers: strangers, hooks: hooks, threads: threads,
      passwords: passwords, messages: messages, migratedUsers: migratedUsers, sessions: sessions)
    users = Users(
      store: store, secrets: secrets, hooks: hooks, passwords: passwords, messages: messages,
      attributes: attributes)
    groups = Groups(store: store, secrets: secrets)
    pools = Pools(
      store: store, secrets: secrets, issuers: issuers, account: settings.account, limit: settings.poolLimit)
    clients = AppClients(store: store, secrets: secrets, limit: settings.clientLimit)
  }
}
