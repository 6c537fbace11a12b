package import Records
internal import Synchronization
internal import TokenSecurityBase

/// The two rings of keys of a pool.
package final class PoolKeys: Sendable {
  package typealias Ring = SigningKeyRing<PoolKeyStorage>

  package let id: Ring
  package let access: Ring
  /// When the rings were last compared with the store.
  private let compared = Mutex<ContinuousClock.Instant?>(nil)
  private let lastIssuer = Mutex<String?>(nil)

  /// The time between comparisons, which calls make.
  private static let pause = Duration.seconds(5)

  init(
    poolID: String, store: any RecordStore, secrets: UserPoolSecrets, rule: RotationRule,
    maker: SigningKeyMaker
  ) {
    func ring(_ use: KeyUse) -> Ring {
      Ring(
        store: store, storage: PoolKeyStorage(poolID: poolID, use: use, secrets: secrets), rule: rule,
        maker: maker)
    }
    id = ring(.id)
    access = ring(.access)
  }

  package func ring(_ use: KeyUse) -> Ring { use == .id ? id : access }

  /// True where both rings have a key.
  package var areComplete: Bool { !id.isEmpty && !access.isEmpty }

  /// `iss` as the pool was last read; nil before. It serves while the store fails.
  package var issuer: String? { lastIssuer.withLock { $0 } }

  func noteIssuer(_ issuer: String) { lastIssuer.withLock { $0 = issuer } }

  /// Loads the keys that are stored.
  func load() async throws(UserPoolError) {
    compared.withLock { $0 = .now }
    try await id.update()
    try await access.update()
  }

  /// Loads keys that other nodes changed, if the last time is some seconds ago. The loaded keys serve while
  /// the store fails.
  func refresh() async {
    let isDue = compared.withLock { compared in
      let now = ContinuousClock.now
      guard let last = compared, now - last < Self.pause else {
        compared = now
        return true
      }
      return false
    }
    if isDue { try? await load() }
  }

  /// Makes the keys that a new pool lacks, loads changes of other nodes, and removes keys whose last tokens
  /// have expired.
  @discardableResult
  func maintain(at now: Timestamp, uptime: Duration?) async throws(UserPoolError) -> [KeyChanges] {
    var changes: [KeyChanges] = []
    for use in KeyUse.allCases {
      let ring = ring(use)
      if let uptime {
        changes.append(try await ring.maintain(at: now, uptime: uptime))
      } else {
        changes.append(try await ring.maintain(at: now))
      }
    }
    return changes
  }

  /// The published keys as a JWK set (RFC 7517 section 5).
  var keySet: [UInt8] {
    JSONWriter.write(
      ["keys": .array((id.publicKeys + access.publicKeys).map(JSONValue.object))] as JSONObject)
  }
}
