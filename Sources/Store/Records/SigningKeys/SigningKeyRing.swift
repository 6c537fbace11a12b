internal import JOSE
internal import Synchronization
public import TokenLifetime
internal import TokenSecurityBase

/// Keys that sign tokens, one after the other.
///
/// A new key is published before it signs; an old key stays published until its last token has expired.
/// Processes on one store agree, since the schedule depends on the stored keys and the time alone.
public final class SigningKeyRing<Storage: SigningKeyStorage>: Sendable {
  /// The error of the ring's calls.
  public typealias Failure = Storage.Failure

  let store: any RecordStore
  let storage: Storage
  /// The schedule.
  public let rule: RotationRule
  let maker: SigningKeyMaker
  /// Measures the time between loads for tokens with unknown keys.
  let timers: any Clock<Duration>
  /// The time since the ring was made, by that clock.
  let elapsed: @Sendable () -> Duration
  let state = Mutex(State())

  struct State {
    var keys: [Prepared] = []
    var verifying = PreparedSet.none
    /// When keys were first found removable.
    var removable: [ExactString: Duration] = [:]
    /// Loads that have begun, and the one whose keys are here.
    var loads = (begun: 0, applied: 0)
    /// A load for tokens with unknown keys that has not begun to read.
    var nextLoad: Task<Result<Void, Failure>, Never>?
    /// When the last load of these began.
    var lastLoad: Duration?
  }

  struct Prepared: Sendable {
    let stored: StoredSigningKey
    let key: JWK
    let signer: TokenSigner
  }

  /// The published keys, prepared to verify.
  enum PreparedSet: Sendable {
    case none
    case keys(PreparedKeys)
  }

  /// Makes a ring over the keys in `store`. ``maintain(at:)`` makes the first key.
  ///
  /// - Parameters:
  ///   - store: the store of the keys.
  ///   - storage: where the keys are stored, how they sign, and what seals them.
  ///   - rule: the schedule. Default: a new key every 30 days.
  ///   - maker: makes the keys. Default: libcrypto.
  public convenience init(
    store: any RecordStore, storage: Storage, rule: RotationRule = RotationRule(),
    maker: SigningKeyMaker = .generating
  ) {
    self.init(store: store, storage: storage, rule: rule, maker: maker, timers: ContinuousClock())
  }

  /// Makes a ring with a clock for the time between loads.
  package init(
    store: any RecordStore, storage: Storage, rule: RotationRule = RotationRule(),
    maker: SigningKeyMaker = .generating, timers: any Clock<Duration>
  ) {
    self.store = store
    self.storage = storage
    self.rule = rule
    self.maker = maker
    self.timers = timers
    elapsed = timers.stopwatch()
  }

  /// Makes the first key, publishes the next one in time, removes keys whose tokens have expired, and loads
  /// changes by other processes. Call it at the start and about every minute.
  ///
  /// A temporarily wrong clock does no lasting damage: see ``KeyChanges``.
  ///
  /// - Parameter now: the time.
  /// - Returns: the changes.
  /// - Throws: the failure of the storage.
  @discardableResult
  public func maintain(at now: Timestamp = .now) async throws(Failure) -> KeyChanges {
    try await maintain(at: now, uptime: ContinuousClock.now - MonotonicStart.instant)
  }

  /// As ``maintain(at:)``, with the time of a monotonic clock.
  @discardableResult
  package func maintain(at now: Timestamp, uptime: Duration) async throws(Failure) -> KeyChanges {
    let now = now.wholeSecond
    let stored = try await read(.fresh)
    let plan = rule.plan(stored, at: now)
    let removable = confirmed(plan, uptime)
    guard plan.newSignsFrom != nil || plan.signsNow != nil || !removable.isEmpty
    else {
      try await reload()
      return KeyChanges()
    }
    let made: Prepared? =
      if let from = plan.newSignsFrom { try await newKey(publishedAt: now, signsFrom: from) } else { nil }
    let (storage, rule) = (storage, rule)
    let changes = try await store.write { rows throws(Failure) in
      // Another process may have made the changes.
      let stored = try storage.keys(in: rows)
      let plan = rule.plan(stored, at: now)
      var changes = KeyChanges()
      if plan.newSignsFrom != nil, let made = made?.stored {
        try storage.add(made, in: rows)
        changes.made = [made.keyID]
      }
      for var key in stored where plan.signsNow == key.keyID {
        key.signsFrom = now
        try storage.put(key, in: rows)
        changes.hurried = [key.keyID]
      }
      changes.ended = plan.ended.filter { removable.contains(ExactString($0)) }
      changes.astray = plan.astray.filter { removable.contains(ExactString($0)) }
      for keyID in changes.ended + changes.astray { try storage.remove(keyID, in: rows) }
      return changes
    }
    try await reload(made)
    return changes
  }

  /// The keys that have been removable for as long as the rule requires.
  private func confirmed(_ plan: RotationPlan, _ uptime: Duration) -> Set<ExactString> {
    state.withLock { state in
      let before = state.removable
      state.removable = [:]
      for keyID in plan.ended + plan.astray {
        state.removable[ExactString(keyID)] = before[ExactString(keyID)] ?? uptime
      }
      func isConfirmed(_ keyID: String, after delay: Duration) -> Bool {
        uptime - (state.removable[ExactString(keyID)] ?? uptime) >= delay
      }
      // Where too many wait, the oldest are removed at once.
      let surplus = plan.ended.prefix(max(0, plan.ended.count - RotationRule.waitingLimit))
      let ended = plan.ended.filter { isConfirmed($0, after: rule.removalDelay) }
      // Seen by a clock that is behind, a key that signs now is one that was made while the clock was ahead.
      let astray = plan.astray.filter { isConfirmed($0, after: rule.removalDelay) }
      return Set((surplus + ended + astray).map { ExactString($0) })
    }
  }

  /// Publishes a new key.
  ///
  /// - Parameters:
  ///   - notice: how long the key is published before it signs, at most the rule's period. Verifiers that
  ///     have not fetched the key by then refuse its tokens. Default: the rule's notice.
  ///   - now: the time of publication.
  /// - Returns: the key, as it is stored.
  /// - Throws: the failure of the storage; also for a negative or longer notice.
  @discardableResult
  public func rotate(
    notice: Duration? = nil, at now: Timestamp = .now
  ) async throws(Failure) -> StoredSigningKey {
    let notice = notice ?? rule.notice
    guard notice >= .zero, notice <= rule.period else {
      throw Failure(.notice(notice, longest: rule.period))
    }
    let storage = storage
    let made = try await newKey(
      publishedAt: now.wholeSecond, signsFrom: now.wholeSecond.advanced(bySeconds: notice.wholeSeconds))
    try await store.write { rows throws(Failure) in try storage.add(made.stored, in: rows) }
    try await reload(made)
    return made.stored
  }

  /// Revokes a compromised key: its tokens are refused from now on, and a new key signs.
  ///
  /// - Parameters:
  ///   - keyID: the key's id.
  ///   - now: the time.
  /// - Throws: the failure of the storage.
  public func revoke(_ keyID: String, at now: Timestamp = .now) async throws(Failure) {
    let storage = storage
    let made = try await newKey(publishedAt: now.wholeSecond, signsFrom: now.wholeSecond)
    try await store.write { rows throws(Failure) in
      // Before the removal: the revoked key is not the new one.
      try storage.add(made.stored, in: rows)
      try storage.remove(keyID, in: rows)
    }
    try await reload(made)
  }

  /// The newest key that may sign at `now`.
  ///
  /// - Throws: the failure of a ring without keys.
  package func signer(at now: Timestamp) throws(Failure) -> TokenSigner {
    let keys = state.withLock { $0.keys }
    guard let key = keys.last(where: { $0.stored.signsFrom <= now }) ?? keys.first else {
      throw Failure(.missing)
    }
    return key.signer
  }

  /// The published keys, prepared to verify.
  ///
  /// - Throws: the failure of a ring without keys.
  package func verifying() throws(Failure) -> PreparedKeys {
    guard case .keys(let keys) = state.withLock({ $0.verifying }) else {
      throw Failure(.missing)
    }
    return keys
  }

  /// The JSON of the published key set: keys that sign, that will sign, and whose tokens may still be valid.
  public var keySet: [UInt8] {
    JSONWriter.write(["keys": .array(publicKeys.map(JSONValue.object))] as JSONObject)
  }

  /// The published keys as JSON, in signing order.
  package var publicKeys: [JSONObject] {
    state.withLock { $0.keys }.compactMap(\.key.publicJWK)
  }

  /// The loaded keys as they are stored, in signing order.
  package var stored: [StoredSigningKey] { state.withLock { $0.keys.map(\.stored) } }

  /// True where no key is loaded.
  package var isEmpty: Bool { state.withLock { $0.keys.isEmpty } }

  /// Key ids and the times from which they sign, in signing order.
  public var schedule: [(keyID: String, signsFrom: Timestamp)] {
    state.withLock { $0.keys.map { ($0.stored.keyID, $0.stored.signsFrom) } }
  }
}

/// Where the monotonic clock of all rings begins.
private enum MonotonicStart {
  static let instant = ContinuousClock.now
}
