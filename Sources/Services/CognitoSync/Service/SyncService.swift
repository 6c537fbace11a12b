public import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// Data sets of identities as Amazon Cognito Sync has them, over a store and without a network.
///
///     let store = try MemoryRecordStore(tables: IdentityTables.all + SyncTables.all)
///     let service = SyncService(store: store, secrets: try SyncSecrets(master: master))
///     let operations = SyncOperations(service)
///
/// ``SyncOperations`` performs operations of requests for callers whose signature was verified. The store has the
/// identities, too: it is that of an `IdentityPoolService`.
public struct SyncService: Sendable {
  // A single reference keeps copies between tasks cheap.
  private let parts: Parts

  private final class Parts: Sendable {
    let store: any RecordStore
    let secrets: SyncSecrets
    let settings: Settings
    let sender: (any PushSender)?
    let outbox: PushOutbox
    let registrations: CountedSlots<ExactString>
    let clock: @Sendable () -> ContinuousClock.Instant
    let timers: any Clock<Duration>

    init(
      _ store: any RecordStore, _ secrets: SyncSecrets, _ settings: Settings, _ sender: (any PushSender)?,
      _ outbox: PushOutbox, _ clock: @escaping @Sendable () -> ContinuousClock.Instant,
      _ timers: any Clock<Duration>
    ) {
      self.store = store
      self.secrets = secrets
      self.settings = settings
      self.sender = sender
      self.outbox = outbox
      self.clock = clock
      self.timers = timers
      registrations = CountedSlots(
        settings.limits.registrations, ofKey: settings.limits.poolRegistrations)
    }
  }

  /// The store of pools, identities and data sets.
  public var store: any RecordStore { parts.store }
  /// The account and the limits.
  public var settings: Settings { parts.settings }
  /// The messages that wait to be sent to devices.
  public var outbox: PushOutbox { parts.outbox }

  var secrets: SyncSecrets { parts.secrets }
  /// The slots for registrations, by the pool. They wait for the sender, which messages must reach all the same.
  var registrations: CountedSlots<ExactString> { parts.registrations }
  /// Registers devices. Without one, no device can be registered and no message waits.
  var sender: (any PushSender)? { parts.sender }
  /// Measures how long a registration takes.
  var clock: @Sendable () -> ContinuousClock.Instant { parts.clock }
  /// The clock of the time limit of registrations and of the pauses between their tries.
  var timers: any Clock<Duration> { parts.timers }

  /// A service's account and limits.
  public struct Settings: Sendable, Hashable {
    /// The account in ARNs, 12 digits. It is the changer of records that a developer changes.
    public var account: String
    /// The limits of data sets.
    public var limits: SyncLimits
    /// How long a registration waits for the sender.
    package var registrationTimeout = Duration.seconds(15)

    /// Makes settings.
    ///
    /// - Parameters:
    ///   - account: the account, 12 digits. Default: the account of AWS's examples.
    ///   - limits: the limits of data sets. Default: those of Amazon Cognito Sync.
    public init(account: String = "123456789012", limits: SyncLimits = SyncLimits()) {
      self.account = account
      self.limits = limits
    }
  }

  /// Makes a service over `store`.
  ///
  /// - Parameters:
  ///   - store: the store, with the tables of identity pools and ``SyncTables/all``.
  ///   - secrets: seals the tokens of synchronisations.
  ///   - settings: the account and the limits.
  ///   - sender: registers devices for push messages. Default: none, so that no device can be registered.
  ///   - outbox: what waits to be sent; a ``PushDelivery`` sends it. Default: one of its own.
  public init(
    store: any RecordStore, secrets: SyncSecrets, settings: Settings = Settings(),
    sender: (any PushSender)? = nil, outbox: PushOutbox = PushOutbox()
  ) {
    self.init(
      store: store, secrets: secrets, settings: settings, sender: sender, outbox: outbox, clock: { .now })
  }

  /// The same with the clock that measures registrations, and the one of their time limit and pauses.
  package init(
    store: any RecordStore, secrets: SyncSecrets, settings: Settings, sender: (any PushSender)?,
    outbox: PushOutbox, clock: @escaping @Sendable () -> ContinuousClock.Instant,
    timers: any Clock<Duration> = ContinuousClock()
  ) {
    parts = Parts(store, secrets, settings, sender, outbox, clock, timers)
  }

  /// Removes push messages, and endpoints of devices that are gone, that were done or given up a day of uptime ago. Those
  /// that a clock ahead gave up are tried again. A call removes at most 500 rows, so that other calls do not wait. A service
  /// calls it about once a minute.
  ///
  /// - Parameter now: the time. Default: now.
  /// - Returns: true if some may be left: call it again, after a pause.
  /// - Throws: `storeFailed`.
  public func removeOldMessages(at now: Timestamp = .now) async throws(SyncError) -> Bool {
    let tables: [any DeclaredTable] = [PushTable.rows, EndpointTable.rows, SyncTables.removedPoolRoles]
    return try await store.write(at: now) { rows throws(SyncError) in
      try rows.removeExpired(from: tables, limit: 500)
    }
  }

  /// Removes the next 1,000 records of deleted data sets. No call finds them meanwhile.
  ///
  /// - Returns: true if some may be left: call it again. A service calls it regularly, since another process may
  ///   have ended before it had removed all.
  /// - Throws: `storeFailed`.
  public func continueRemovals() async throws(SyncError) -> Bool {
    let isThere = try await store.read(at: .now, .fresh) { rows throws(SyncError) in
      try rows.count(SyncTables.removedDatasets, limit: 1) > 0
    }
    guard isThere else { return false }
    return try await store.write { rows throws(SyncError) in try rows.removeRest(limit: 1_000) }
  }
}
