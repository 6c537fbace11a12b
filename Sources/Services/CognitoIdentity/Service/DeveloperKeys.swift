internal import Synchronization
internal import TokenSecurityBase
public import TokenSecurityCrypto

/// Developers' access keys, which sign the calls of a developer's service.
extension IdentityPoolService {
  /// A new access key. The secret is stored sealed and cannot be shown again.
  public struct NewAccessKey: ~Copyable, Sendable {
    /// `AKIA` and 16 letters and digits.
    public let id: String
    /// 40 characters of base64.
    public let secret: SecretBytes
  }

  /// Makes an access key.
  ///
  /// - Parameters:
  ///   - note: the operator's note, at most 256 characters.
  ///   - scope: the pools and calls that the key allows. Default: all.
  ///   - now: the time of creation.
  /// - Returns: the key with its secret.
  /// - Throws: `parameterLength` for a long note, `storeFailed`, `cryptoFailed`.
  public func createAccessKey(
    note: String = "", scope: AccessKeyScope = .everything, at now: Timestamp = .now
  ) async throws(IdentityError) -> NewAccessKey {
    let key = try Self.makeAccessKey()
    try await addAccessKey(key, note: note, scope: scope, at: now)
    return key
  }

  /// Makes an access key that is not stored yet.
  package static func makeAccessKey() throws(IdentityError) -> NewAccessKey {
    NewAccessKey(id: try SessionTokens.newID("AKIA"), secret: try SessionTokens.newSecret())
  }

  /// Stores a new access key, which is valid from then on.
  package func addAccessKey(
    _ key: borrowing NewAccessKey, note: String, scope: AccessKeyScope = .everything, at now: Timestamp = .now
  ) async throws(IdentityError) {
    try TextBounds.tagValue.check(note, "the note")
    let stored = StoredAccessKey(
      id: key.id, created: now.wholeSecond, note: note,
      sealed: try sealing.seal(key.secret, for: .accessKey, name: key.id), scope: scope)
    try await store.write { rows throws(IdentityError) in try rows.put(stored) }
  }

  /// An access key as it is now.
  public struct OpenedAccessKey: Sendable {
    /// The key that verifies requests.
    public let verificationKey: VerificationKey
    /// The pools and calls that it allows.
    public let scope: AccessKeyScope
  }

  /// Returns the key that verifies requests of an access key; nil for an unknown access key.
  ///
  /// - Parameter accessKeyID: the access key's id.
  /// - Returns: the verification key.
  /// - Throws: `storeFailed`, also for a secret that another master key sealed.
  public func verificationKey(for accessKeyID: String) async throws(IdentityError) -> VerificationKey? {
    try await openedAccessKey(accessKeyID)?.verificationKey
  }

  /// Returns an access key with the pools and calls that it allows; nil for an unknown one.
  ///
  /// - Parameter accessKeyID: the access key's id.
  /// - Returns: the access key.
  /// - Throws: `storeFailed`, also for a secret that another master key sealed.
  public nonisolated(nonsending) func openedAccessKey(_ accessKeyID: String) async throws(IdentityError)
    -> OpenedAccessKey?
  {
    // Fresh: a removed key is refused at once.
    guard TextBounds.accessKeyID.allows(accessKeyID),
      let stored = try await store.read(
        at: .now, .fresh, { rows throws(IdentityError) in try rows.accessKey(accessKeyID) })
    else {
      return nil
    }
    return OpenedAccessKey(verificationKey: try verificationKey(of: stored), scope: stored.scope)
  }

  private func verificationKey(of stored: StoredAccessKey) throws(IdentityError) -> VerificationKey {
    if let cached = accessKeys.key(stored) { return cached }
    guard let secret = try sealing.open(stored.sealed.span, for: .accessKey, name: stored.id) else {
      throw .storeFailed("the access key \(stored.id) does not open: another master key sealed it")
    }
    let key: VerificationKey
    do {
      key = .credentials(try Credentials(accessKeyID: stored.id, secretAccessKey: secret))
    } catch {
      throw .storeFailed("the access key \(stored.id): \(error)")
    }
    accessKeys.insert(key, of: stored)
    return key
  }
}

/// Opened access keys. The stored key is read for each call; the cache saves opening the sealed secret.
final class AccessKeyCache: Sendable {
  private let keys = Mutex<[ExactString: (stored: StoredAccessKey, key: VerificationKey)]>([:])
  private static let capacity = 1_000

  func key(_ stored: StoredAccessKey) -> VerificationKey? {
    keys.withLock { keys in
      guard let cached = keys[ExactString(stored.id)], cached.stored == stored else { return nil }
      return cached.key
    }
  }

  func insert(_ key: VerificationKey, of stored: StoredAccessKey) {
    keys.withLock { keys in
      if keys.count >= Self.capacity { keys.removeAll() }
      keys[ExactString(stored.id)] = (stored, key)
    }
  }
}
