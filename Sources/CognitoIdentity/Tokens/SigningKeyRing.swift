internal import CryptoPrimitives
internal import Encodings
internal import Synchronization
internal import TokenLifetime

/// How signing keys follow one another. All numbers are seconds.
public struct RotationRule: Sendable, Hashable {
  /// How long a key signs: 30 days unless said otherwise.
  public var period: Int64
  /// How long a new key is published before it signs, so that whoever holds a copy of the key set has it by then: one
  /// hour unless said otherwise.
  public var notice: Int64
  /// How long a key stays published after it has stopped to sign: the longest life of a token, and five minutes for
  /// clocks that differ.
  public static let grace: Int64 = LifetimeRule.developerToken.longest + 300

  public init(period: Int64 = 30 * 86_400, notice: Int64 = 3_600) {
    self.period = max(60, period)
    self.notice = max(0, min(notice, self.period / 2))
  }
}

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
  public func maintain(at now: NumericDate = .now) async throws(IdentityError) {
    let stored = try store.read { rows throws(IdentityError) in try rows.signingKeys() }
    if let next = due(stored, now.seconds) {
      // Made outside the transaction: a key takes its time.
      let made = try make(publishedAt: now.seconds, signsFrom: next)
      try await store.write { [self] rows throws(IdentityError) in
        // Another process may have been quicker.
        guard due(try rows.signingKeys(), now.seconds) != nil else { return }
        try rows.put(made)
      }
    }
    if !Self.ended(stored, now.seconds).isEmpty {
      try await store.write { rows throws(IdentityError) in
        for keyID in Self.ended(try rows.signingKeys(), now.seconds) { try rows.removeSigningKey(keyID) }
      }
    }
    try reload()
  }

  /// Keys whose last tokens have expired: those with a successor that has signed for so long.
  private static func ended(_ keys: [StoredSigningKey], _ now: Int64) -> [String] {
    zip(keys, keys.dropFirst()).filter { $1.signsFrom + RotationRule.grace <= now }.map { $0.0.keyID }
  }

  /// Publishes a new key, which signs after the rule's notice.
  ///
  /// - Parameters:
  ///   - notice: how many seconds it is published before it signs; the rule's where nil. Verifiers that hold a copy
  ///     of the key set must have fetched it by then, or they refuse its tokens.
  ///   - now: when it is published.
  public func rotate(notice: Int64? = nil, at now: NumericDate = .now) async throws(IdentityError) {
    let made = try make(
      publishedAt: now.seconds, signsFrom: now.seconds + max(0, notice ?? rule.notice))
    try await store.write { rows throws(IdentityError) in try rows.put(made) }
    try reload()
  }

  /// Takes a key back that others may have got hold of: its tokens no longer hold, and where it signed another one
  /// does from now on.
  public func revoke(_ keyID: String, at now: NumericDate = .now) async throws(IdentityError) {
    let made = try make(publishedAt: now.seconds, signsFrom: now.seconds)
    try await store.write { rows throws(IdentityError) in
      try rows.removeSigningKey(keyID)
      try rows.put(made)
    }
    try reload()
  }

  /// When the next key begins to sign, where one must be made now.
  private func due(_ keys: [StoredSigningKey], _ now: Int64) -> Int64? {
    guard let last = keys.last else { return now }
    let next = last.signsFrom + rule.period
    return now >= next - rule.notice ? max(next, now + rule.notice) : nil
  }

  private func make(publishedAt now: Int64, signsFrom: Int64) throws(IdentityError) -> StoredSigningKey {
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
    state.withLock { $0 = State(keys: keys, verifying: .keys(verifying)) }
  }

  /// What signs now: the youngest key whose time has come.
  func signer(at now: NumericDate) throws(IdentityError) -> TokenSigner {
    let keys = state.withLock { $0.keys }
    guard let key = keys.last(where: { $0.stored.signsFrom <= now.seconds }) ?? keys.first else {
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
  public var schedule: [(keyID: String, signsFrom: Int64)] {
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
