internal import TokenSecurityEncodings
public import TokenSecurityCrypto
internal import Synchronization

/// Developers' access keys: what opens the signed calls, and nothing else does.
extension IdentityPoolService {
  /// An access key that was just made. The secret is shown once, and kept sealed.
  public struct NewAccessKey: ~Copyable, Sendable {
    /// `AKIA` and 16 letters and digits.
    public let id: String
    /// 40 characters of base64.
    public let secret: SecretBytes
  }

  /// Makes an access key.
  ///
  /// - Parameters:
  ///   - note: what the operator calls it, at most 256 characters.
  ///   - scope: the pools and calls that it opens. Default: everything.
  ///   - now: when it is made.
  /// - Throws: `parameterLength` for a long note, `storeFailed`, `cryptoFailed`.
  public func createAccessKey(
    note: String = "", scope: AccessKeyScope = .everything, at now: NumericDate = .now
  ) async throws(IdentityError) -> NewAccessKey {
    try Bounds.tagValue.check(note, "the note")
    let id = try SessionTokens.newID("AKIA")
    let secret = try SessionTokens.newSecret()
    let stored = StoredAccessKey(
      id: id, created: now.wholeSecond, note: note,
      sealed: try sealing.seal(secret, for: .accessKey, name: id),
      scope: scope)
    try await store.write { rows throws(IdentityError) in try rows.put(stored) }
    return NewAccessKey(id: id, secret: secret)
  }

  /// What a request of this access key is verified with; nil where nobody has it.
  public func verificationKey(for accessKeyID: String) throws(IdentityError) -> VerificationKey? {
    guard Bounds.accessKeyID.admits(accessKeyID),
      let stored = try store.read({ rows throws(IdentityError) in try rows.accessKey(accessKeyID) })
    else {
      return nil
    }
    if let kept = accessKeys.key(stored) { return kept }
    guard let secret = try sealing.open(stored.sealed.span, for: .accessKey, name: stored.id) else {
      throw .storeFailed("the access key \(stored.id) does not open: another master key sealed it")
    }
    let key: VerificationKey
    do {
      key = .credentials(try Credentials(accessKeyID: stored.id, secretAccessKey: secret))
    } catch {
      throw .storeFailed("the access key \(stored.id): \(error)")
    }
    accessKeys.keep(key, of: stored)
    return key
  }
}

/// Opened access keys. What is stored is looked at each time; only opening it is spared.
final class AccessKeyCache: Sendable {
  private let keys = Mutex<[ExactString: (stored: StoredAccessKey, key: VerificationKey)]>([:])
  private static let capacity = 1_000

  func key(_ stored: StoredAccessKey) -> VerificationKey? {
    keys.withLock { keys in
      guard let kept = keys[ExactString(stored.id)], kept.stored == stored else { return nil }
      return kept.key
    }
  }

  func keep(_ key: VerificationKey, of stored: StoredAccessKey) {
    keys.withLock { keys in
      if keys.count >= Self.capacity { keys.removeAll() }
      keys[ExactString(stored.id)] = (stored, key)
    }
  }
}
