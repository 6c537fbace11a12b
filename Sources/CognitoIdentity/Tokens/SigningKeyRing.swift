internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import Synchronization

/// The keys that sign an identity pool's tokens.
///
/// A new key is published before it signs; an old one stays until the last token that it signed has expired. Several
/// processes on one store agree: what is to be done follows from what is stored and the time.
public final class SigningKeyRing: Sendable {
  private let store: any IdentityStore
  private let sealing: SealingKeys
  private let region: String
  /// How keys follow one another.
  public let rule: RotationRule
  private let state = Mutex(State())

  private struct State {
    var keys: [Prepared] = []
    var verifying = PreparedSet.none
    /// Since when keys have been found to be removable.
    var removable: [ExactString: Duration] = [:]
  }

  private struct Prepared: Sendable {
    let stored: StoredSigningKey
    let key: JWK
    let signer: TokenSigner
  }

  /// Keys that verify, made ready.
  enum PreparedSet: Sendable {
    case none
    case keys(PreparedKeys)
  }

  /// The keys in `store`. ``maintain(at:)`` makes the first.
  public init(
    store: any IdentityStore, sealing: SealingKeys, region: String, rule: RotationRule = RotationRule()
  ) {
    self.store = store
    self.sealing = sealing
    self.region = region
    self.rule = rule
  }

  /// Does what is due: makes the first key, publishes the next one in time, removes those whose tokens have all expired,
  /// and reads what other processes have done. Call it at the start and every minute or so.
  ///
  /// A clock that was wrong for a moment does no lasting damage: see ``KeyChanges``.
  @discardableResult
  public func maintain(at now: NumericDate = .now) async throws(IdentityError) -> KeyChanges {
    try await maintain(at: now, uptime: ContinuousClock.now - Self.start)
  }

  private static let start = ContinuousClock.now

  /// As ``maintain(at:)``, with the time on a clock that is never set.
  @discardableResult
  package func maintain(at now: NumericDate, uptime: Duration) async throws(IdentityError) -> KeyChanges {
    let now = now.wholeSecond
    let stored = try store.read { rows throws(IdentityError) in try rows.signingKeys() }
    let plan = rule.plan(stored, at: now)
    let removable = confirmed(plan, uptime)
    guard plan.newSignsFrom != nil || plan.signsNow != nil || !removable.isEmpty
    else {
      try reload()
      return KeyChanges()
    }
    // Made outside the transaction: a key takes its time.
    let made: StoredSigningKey? =
      if let from = plan.newSignsFrom { try make(publishedAt: now, signsFrom: from) } else { nil }
    let rule = rule
    let changes = try await store.write { rows throws(IdentityError) in
      // Another process may have been quicker.
      let stored = try rows.signingKeys()
      let plan = rule.plan(stored, at: now)
      var changes = KeyChanges()
      if plan.newSignsFrom != nil, let made {
        try rows.put(made)
        changes.made = [made.keyID]
      }
      for var key in stored where plan.signsNow == key.keyID {
        key.signsFrom = now
        try rows.put(key)
        changes.hurried = [key.keyID]
      }
      changes.ended = plan.ended.filter { removable.contains(ExactString($0)) }
      changes.astray = plan.astray.filter { removable.contains(ExactString($0)) }
      for keyID in changes.ended + changes.astray { try rows.removeSigningKey(keyID) }
      return changes
    }
    try reload()
    return changes
  }

  /// The keys of a plan that have been found removable for as long as the rule says.
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
      // The oldest are removed at once where many wait.
      let surplus = plan.ended.prefix(max(0, plan.ended.count - RotationRule.waitingLimit))
      let ended = plan.ended.filter { isConfirmed($0, after: rule.removalDelay) }
      let astray = plan.astray.filter {
        isConfirmed($0, after: min(rule.removalDelay, RotationRule.astrayDelay))
      }
      return Set((surplus + ended + astray).map { ExactString($0) })
    }
  }

  /// Publishes a new key, which signs after the rule's notice.
  ///
  /// - Parameters:
  ///   - notice: how long it is published before it signs, at most the rule's period. Verifiers that cache the key set
  ///     must have fetched it by then, or they refuse its tokens. Default: the rule's.
  ///   - now: when it is published.
  /// - Throws: `parameterRange` for a longer notice; `storeFailed`, `cryptoFailed`.
  public func rotate(notice: Duration? = nil, at now: NumericDate = .now) async throws(IdentityError) {
    let notice = notice ?? rule.notice
    guard notice >= .zero, notice <= rule.period else {
      throw .parameterRange(
        "the notice", value: notice.wholeSeconds, allowed: 0...max(0, rule.period.wholeSeconds))
    }
    let made = try make(
      publishedAt: now.wholeSecond, signsFrom: now.wholeSecond.advanced(bySeconds: notice.wholeSeconds))
    try await store.write { rows throws(IdentityError) in try rows.put(made) }
    try reload()
  }

  /// Takes a key back that others may have got hold of: its tokens no longer hold, and where it signed another one
  /// does from now on.
  public func revoke(_ keyID: String, at now: NumericDate = .now) async throws(IdentityError) {
    let made = try make(publishedAt: now.wholeSecond, signsFrom: now.wholeSecond)
    try await store.write { rows throws(IdentityError) in
      try rows.removeSigningKey(keyID)
      try rows.put(made)
    }
    try reload()
  }

  private func make(publishedAt now: Timestamp, signsFrom: Timestamp) throws(IdentityError)
    -> StoredSigningKey
  {
    var key: JWK
    let text: SecretBytes
    do throws(JOSEError) {
      key = try JWK.generate(for: .rs512, rsaBits: 2048)
      key.keyID = "\(region)-\(try key.thumbprint().prefix(12))"
      text = try key.privateJWK()
    } catch {
      throw IdentityError(error)
    }
    let keyID = key.keyID ?? ""
    return StoredSigningKey(
      keyID: keyID, published: now, signsFrom: signsFrom,
      sealed: try sealing.seal(text, for: .signingKey, name: keyID))
  }

  private func reload() throws(IdentityError) {
    let stored = try store.read { rows throws(IdentityError) in try rows.signingKeys() }
    let known = state.withLock { $0.keys }
    guard known.map(\.stored) != stored else { return }
    var keys: [Prepared] = []
    for entry in stored {
      if let same = known.first(where: { $0.stored == entry }) {
        keys.append(same)
        continue
      }
      guard let text = try sealing.open(entry.sealed.span, for: .signingKey, name: entry.keyID) else {
        throw .storeFailed("the signing key \(entry.keyID) does not open: another master key sealed it")
      }
      do throws(JOSEError) {
        let key = try JWK(json: text)
        keys.append(
          Prepared(
            stored: entry, key: key,
            signer: try TokenSigner(key: key, algorithm: .rs512, type: "JWS", lifetimes: .developerToken)))
      } catch {
        throw IdentityError(error)
      }
    }
    let verifying: PreparedKeys
    do { verifying = try PreparedKeys(JWKSet(keys.compactMap(\.key.publicOnly))) } catch {
      throw IdentityError(error)
    }
    state.withLock {
      $0.keys = keys
      $0.verifying = .keys(verifying)
    }
  }

  /// What signs now: the youngest key whose time has come.
  func signer(at now: NumericDate) throws(IdentityError) -> TokenSigner {
    let keys = state.withLock { $0.keys }
    guard let key = keys.last(where: { $0.stored.signsFrom <= now }) ?? keys.first else {
      throw .cryptoFailed("there is no signing key")
    }
    return key.signer
  }

  /// The published keys, made ready to verify.
  func verifying() throws(IdentityError) -> PreparedKeys {
    guard case .keys(let keys) = state.withLock({ $0.verifying }) else {
      throw .cryptoFailed("there is no signing key")
    }
    return keys
  }

  /// The published key set's JSON: keys that sign, that will, and whose tokens may still live.
  public var keySet: [UInt8] {
    let keys = state.withLock { $0.keys }
    return JSONWriter.write(
      JSONObject.member("keys", .array(keys.compactMap { $0.key.publicJWK.map(JSONValue.object) })))
  }

  /// Keys' names and when they begin to sign, in that order.
  public var schedule: [(keyID: String, signsFrom: Timestamp)] {
    state.withLock { $0.keys.map { ($0.stored.keyID, $0.stored.signsFrom) } }
  }
}

extension JSONObject {
  static func member(_ name: String, _ value: JSONValue) -> JSONObject {
    var object = JSONObject()
    object[name] = value
    return object
  }
}
