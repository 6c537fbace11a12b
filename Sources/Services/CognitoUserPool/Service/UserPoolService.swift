public import Records

/// User pools as Amazon Cognito has them, over a store and without a network.
///
/// ``UserPoolOperations`` performs operations of requests.
public struct UserPoolService: Sendable {
  // A single reference keeps copies between tasks cheap.
  private let parts: Parts

  private final class Parts: Sendable {
    let store: any RecordStore
    let secrets: UserPoolSecrets
    let settings: Settings
    let threads: ComputationThreads
    // A wrong password is counted before its check leaves the gate. While the power of a right one is computed,
    // therefore, at most as many others are checked and not counted yet as run at a time.
    let checks = KeyedGate<[UInt8]>(running: 8, waiting: 64)
    let strangers = StrangersCounts()
    let hooks: HookRunner
    let outbox: OutboxCapacity
    let keyRings: PoolKeyRings
    let passwords: PasswordChecks
    let messages: UserMessages
    let callers: Callers
    let sessions: Sessions
    let attributes: AttributeChanges
    let migratedUsers: MigratedUsers
    let signUps: SignUps
    let passwordRecovery: PasswordRecovery
    let ownAccounts: OwnAccounts
    let users: Users
    let groups: Groups
    let pools: Pools
    let clients: AppClients
    let factors: SecondFactors
    let devices: DeviceTracking
    let published: PublishedMetadata
    let maintenance: PoolMaintenance

    init(
      _ store: any RecordStore, _ secrets: UserPoolSecrets, _ settings: Settings, _ hooks: HookRunner,
      _ outbox: OutboxCapacity, _ keyMaker: SigningKeyMaker
    ) {
      self.store = store
      self.secrets = secrets
      self.settings = settings
      threads = ComputationThreads(
        count: settings.computationThreads, waitingLimit: settings.waitingComputations)
      self.hooks = hooks
      self.outbox = outbox
      keyRings = PoolKeyRings(store: store, secrets: secrets, rule: settings.rotation, maker: keyMaker)
      passwords = PasswordChecks(secrets: secrets, threads: threads)
      messages = UserMessages(store: store, secrets: secrets, hooks: hooks, outbox: outbox)
      callers = Callers(store: store, keyRings: keyRings, issuers: settings.issuers)
      sessions = Sessions(
        store: store, secrets: secrets, hooks: hooks, keyRings: keyRings, issuers: settings.issuers,
        callers: callers)
      attributes = AttributeChanges(store: store, secrets: secrets, messages: messages)
      migratedUsers = MigratedUsers(store: store, passwords: passwords)
      let calls = NamedCalls(store: store, secrets: secrets, strangers: strangers)
      signUps = SignUps(
        store: store, secrets: secrets, calls: calls, hooks: hooks, passwords: passwords, messages: messages)
      passwordRecovery = PasswordRecovery(
        store: store, calls: calls, hooks: hooks, passwords: passwords, messages: messages,
        migratedUsers: migratedUsers)
      ownAccounts = OwnAccounts(
        store: store, secrets: secrets, callers: callers, passwords: passwords, messages: messages,
        attributes: attributes)
      users = Users(
        store: store, secrets: secrets, hooks: hooks, passwords: passwords, messages: messages,
        attributes: attributes)
      groups = Groups(store: store, secrets: secrets)
      pools = Pools(
        store: store, secrets: secrets, issuers: settings.issuers, account: settings.account,
        limit: settings.poolLimit)
      clients = AppClients(store: store, secrets: secrets, limit: settings.clientLimit)
      factors = SecondFactors(store: store, secrets: secrets, callers: callers)
      devices = DeviceTracking(
        store: store, secrets: secrets, callers: callers, account: settings.account)
      published = PublishedMetadata(store: store, keyRings: keyRings, issuers: settings.issuers)
      maintenance = PoolMaintenance(store: store, keyRings: keyRings)
    }
  }

  /// The store of pools, users and keys.
  public var store: any RecordStore { parts.store }
  /// The service's region, account, issuer and limits.
  public var settings: Settings { parts.settings }

  package var secrets: UserPoolSecrets { parts.secrets }
  /// Where powers are computed.
  package var threads: ComputationThreads { parts.threads }
  /// Bounds the checks of a user's passwords that run at a time, by the user or the unknown name.
  package var checks: KeyedGate<[UInt8]> { parts.checks }
  /// Bounds the calls for a name that prove nothing.
  var strangers: StrangersCounts { parts.strangers }
  /// Calls the functions of pools.
  package var hooks: HookRunner { parts.hooks }
  /// How much may wait in the outbox.
  package var outbox: OutboxCapacity { parts.outbox }
  /// The keys of all pools.
  package var keyRings: PoolKeyRings { parts.keyRings }
  package var passwords: PasswordChecks { parts.passwords }
  package var messages: UserMessages { parts.messages }
  package var callers: Callers { parts.callers }
  package var sessions: Sessions { parts.sessions }
  var migratedUsers: MigratedUsers { parts.migratedUsers }
  package var signUps: SignUps { parts.signUps }
  package var passwordRecovery: PasswordRecovery { parts.passwordRecovery }
  package var ownAccounts: OwnAccounts { parts.ownAccounts }
  package var users: Users { parts.users }
  package var groups: Groups { parts.groups }
  package var pools: Pools { parts.pools }
  package var clients: AppClients { parts.clients }
  package var factors: SecondFactors { parts.factors }
  package var devices: DeviceTracking { parts.devices }
  /// The data that pools publish for those who verify their tokens.
  public var published: PublishedMetadata { parts.published }
  /// The maintenance at intervals.
  public var maintenance: PoolMaintenance { parts.maintenance }

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
  public init(
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
    parts = Parts(store, secrets, settings, hooks, outbox, keyMaker)
  }
}
