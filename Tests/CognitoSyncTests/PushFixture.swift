internal import CognitoIdentity
internal import CognitoSync
internal import Records
internal import SigningKeyTesting
internal import Synchronization
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityTesting

/// A pool whose devices get push messages, and an identity in it.
struct PushFixture: Sendable {
  let store: any RecordStore
  let identities: IdentityPoolService
  let sync: SyncService
  let sender: PushMemory
  let outbox: PushOutbox
  let events = PushEvents()
  let identity: IdentityKey

  static let start = Timestamp(seconds: 1_800_000_000)
  static let account = "123456789012"
  static let role = "arn:aws:iam::123456789012:role/push"
  static let application = "arn:aws:sns:us-east-1:123456789012:app/GCM/app"
  static let apple = "arn:aws:sns:us-east-1:123456789012:app/APNS/app"
  private static let developer = "login.my.app"
  /// Registrations take no time, whatever else the machine does.
  private static let instant = SettableClock().instant

  init(
    _ given: (any RecordStore)? = nil, sender: PushMemory = PushMemory(), outbox: PushOutbox = PushOutbox(),
    limits: SyncLimits = SyncLimits()
  ) async throws {
    let store = try given ?? MemoryRecordStore(tables: IdentityTables.all + SyncTables.all)
    self.store = store
    self.sender = sender
    self.outbox = outbox
    let master = [UInt8](repeating: 7, count: 32)
    identities = IdentityPoolService(
      store: store, sealing: try SealingKeys(master: SecretBytes(master.span)), logins: LoginVerifier(),
      observer: DatasetObserver(), keyMaker: .vectors())
    var settings = SyncService.Settings(limits: limits)
    // Machines can be slow.
    settings.registrationTimeout = .seconds(600)
    sync = SyncService(
      store: store, secrets: try SyncSecrets(master: SecretBytes(master.span)),
      settings: settings, sender: sender, outbox: outbox, clock: { Self.instant })
    try await identities.keys.maintain(at: Self.start)
    let pool = try await identities.createPool(named: "push") { $0.developerProviderName = Self.developer }
    identity = IdentityKey(
      poolID: pool.id, identityID: try await Self.identity("jane", of: pool.id, identities))
    try await identities.putRole(StoredRole(arn: Self.role, trustPolicy: Self.trust(pool.id)))
    let configuration = PushConfiguration(
      poolID: pool.id, applicationARNs: [Self.application, Self.apple], roleARN: Self.role)
    try await store.write(at: Self.start) { rows throws(SyncError) in try rows.put(configuration) }
  }

  private static func identity(
    _ user: String, of poolID: String, _ service: IdentityPoolService
  ) async throws -> String {
    try await service.issueDeveloperToken(poolID: poolID, logins: [developer: user], at: start).identityID
  }

  /// The identity of another user.
  func identity(of user: String) async throws -> IdentityKey {
    IdentityKey(
      poolID: identity.poolID,
      identityID: try await Self.identity(user, of: identity.poolID, identities))
  }

  /// Merges the identity of one user into that of another.
  func merge(_ user: String, into other: String) async throws {
    _ = try await identities.mergeDeveloperIdentities(
      source: user, destination: other, provider: Self.developer, poolID: identity.poolID, at: Self.start)
  }

  static func trust(_ pool: String) -> String {
    """
    {"Version": "2012-10-17", "Statement": {"Effect": "Allow",
      "Principal": {"Service": "cognito-sync.amazonaws.com"}, "Action": "sts:AssumeRole",
      "Condition": {"StringEquals": {"AWS:SourceAccount": "\(account)"}, "ArnLike": {"AWS:SourceArn":
        "arn:aws:cognito-identity:us-east-1:\(account):identitypool/\(pool)"}}}}
    """
  }

  func context(_ later: Duration = .zero) -> IdentityPoolOperations.Context {
    IdentityPoolOperations.Context(
      caller: .developer(accessKeyID: "AKIAEXAMPLE", scope: .everything), at: Self.start + later)
  }

  /// A delivery, with the fixture's sender or another one.
  func delivery(
    with other: (any PushSender)? = nil, _ change: (inout PushDelivery.Limits) -> Void = { _ in }
  ) -> PushDelivery {
    var limits = PushDelivery.Limits()
    change(&limits)
    return PushDelivery(
      store, outbox: outbox, account: Self.account, sender: other ?? sender, limits: limits,
      onEvent: events.add)
  }

  // MARK: Calls

  /// Registers a device and subscribes it to data sets.
  func device(
    _ token: String, _ platform: PushPlatform = .gcm, of owner: IdentityKey? = nil,
    subscribedTo names: [String] = [], with other: SyncService? = nil
  ) async throws -> String {
    let owner = owner ?? identity
    let id = try await (other ?? sync).registerDevice(
      RegisterDevice.Input {
        $0.poolID = owner.poolID
        $0.identityID = owner.identityID
        $0.platform = platform
        $0.token = token
      }, context()
    ).deviceID
    let device = try #require(id)
    for name in names { try await subscribe(device, to: name, of: owner) }
    return device
  }

  private func subscription(_ device: String, _ name: String, _ owner: IdentityKey) -> DatasetSubscription {
    DatasetSubscription {
      $0.dataset = Self.datasetName(name, owner)
      $0.deviceID = device
    }
  }

  private static func datasetName(_ name: String, _ owner: IdentityKey) -> DatasetName {
    DatasetName {
      $0.poolID = owner.poolID
      $0.identityID = owner.identityID
      $0.name = name
    }
  }

  func subscribe(_ device: String, to name: String, of owner: IdentityKey? = nil) async throws {
    try await sync.subscribe(subscription(device, name, owner ?? identity), context())
  }

  func unsubscribe(_ device: String, from name: String) async throws {
    try await sync.unsubscribe(subscription(device, name, identity), context())
  }

  func records(_ name: String, of owner: IdentityKey? = nil) async throws -> ListRecords.Output {
    let dataset = Self.datasetName(name, owner ?? identity)
    return try await sync.listRecords(ListRecords.Input { $0.dataset = dataset }, context())
  }

  /// Changes a record of a data set.
  func change(
    _ name: String, key: String = "k", of owner: IdentityKey? = nil, by device: String? = nil,
    later: Duration = .zero
  ) async throws {
    let listed = try await records(name, of: owner)
    let known = listed.records?.first { $0.key == key }?.syncCount ?? 0
    let input = UpdateRecords.Input {
      $0.dataset = Self.datasetName(name, owner ?? identity)
      $0.deviceID = device
      $0.sessionToken = listed.sessionToken ?? ""
      $0.patches = [
        RecordPatch {
          $0.key = key
          $0.value = "v"
          $0.syncCount = known
        }
      ]
    }
    _ = try await sync.updateRecords(input, context(later))
  }

  /// The service with another sender, where registrations take as long as `elapsed` says.
  func service(
    _ sender: any PushSender, timeout: Duration? = nil, timers: any Clock<Duration> = ContinuousClock(),
    elapsed: @escaping @Sendable () -> Duration = { .zero }
  ) throws -> SyncService {
    let master = [UInt8](repeating: 7, count: 32)
    var settings = sync.settings
    if let timeout { settings.registrationTimeout = timeout }
    return SyncService(
      store: store, secrets: try SyncSecrets(master: SecretBytes(master.span)), settings: settings,
      sender: sender, outbox: outbox, clock: { Self.instant + elapsed() }, timers: timers)
  }

  /// The messages in the outbox that wait.
  func waiting(_ later: Duration = .zero) async throws -> [PushRow] {
    try await store.read(at: Self.start + later, .fresh) { rows throws(SyncError) in
      try rows.scan(PushTable.rows, limit: 1_000)
    }.filter(\.isWaiting)
  }
}

/// A sender that keeps messages in memory.
final class PushMemory: PushSender {
  private struct State {
    var registered: [PushRegistration] = []
    var messages: [PushMessage] = []
    var removed: [PushEndpoint] = []
    var failures: [PushError] = []
  }

  private let state = Mutex(State())

  var registered: [PushRegistration] { state.withLock { $0.registered } }
  var messages: [PushMessage] { state.withLock { $0.messages } }
  /// The endpoints that were removed.
  var removed: [PushEndpoint] { state.withLock { $0.removed } }

  /// Lets the next calls fail, one with each error.
  func fail(_ errors: [PushError]) { state.withLock { $0.failures += errors } }

  /// Registrations wait here while it is closed.
  let registrations = Gate(isOpen: true)

  private func failure() -> PushError? {
    state.withLock { $0.failures.isEmpty ? nil : $0.failures.removeFirst() }
  }

  func register(_ device: PushRegistration) async throws(PushError) -> String {
    await registrations.pass()
    if let failure = failure() { throw failure }
    state.withLock { $0.registered.append(device) }
    return Self.endpoint(device.token, device.platform)
  }

  /// The endpoint of a token.
  static func endpoint(_ token: String, _ platform: PushPlatform = .gcm) -> String {
    "arn:aws:sns:us-east-1:123456789012:endpoint/\(platform.rawValue.text)/app/\(token)"
  }

  func send(_ message: PushMessage) async throws(PushError) {
    if let failure = failure() { throw failure }
    state.withLock { $0.messages.append(message) }
  }

  func remove(_ endpoint: PushEndpoint) async throws(PushError) {
    if let failure = failure() { throw failure }
    state.withLock { $0.removed.append(endpoint) }
  }
}

/// Reports of deliveries.
final class PushEvents: Sendable {
  private let state = Mutex<[PushDelivery.Event]>([])

  var outcomes: [PushDelivery.Event.Outcome] { state.withLock { $0.map(\.outcome) } }

  func add(_ event: PushDelivery.Event) { state.withLock { $0.append(event) } }
}

/// The code of the error that `body` throws; empty if it throws none.
func pushCode(_ body: () async throws -> Void) async -> String {
  do {
    try await body()
    return ""
  } catch let error as any CodedError {
    return error.codeText
  } catch {
    return "\(error)"
  }
}
