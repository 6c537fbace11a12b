public import Records
internal import TokenSecurityBase

/// The stored secrets that a master key seals: signing keys, and the secrets of access keys.
///
/// Session tokens are sealed too, but not stored: those of another master key are refused.
public enum SealedSecrets {
  /// The secrets that a master key does or does not open.
  public struct Check: Sendable, Hashable {
    /// The number of secrets that it opens.
    public internal(set) var opened = 0
    /// The ids of keys whose secrets it does not open, at most ten.
    public internal(set) var refused: [String] = []

    /// True where the master key opens a secret, or none is stored.
    public var isRight: Bool { opened > 0 || refused.isEmpty }

    mutating func count(_ id: String, _ isOpened: Bool) {
      if isOpened {
        opened += 1
      } else if refused.count < 10 {
        refused.append(id)
      }
    }
  }

  /// Opens all stored secrets.
  ///
  /// - Parameters:
  ///   - store: the store of a service.
  ///   - sealing: the keys of a master key.
  /// - Returns: what the master key opens.
  /// - Throws: `storeFailed`, also for rows that cannot be read; `cryptoFailed`.
  public static func check(
    _ store: any RecordStore, with sealing: SealingKeys
  ) async throws(IdentityError) -> Check {
    try await store.read(at: .now, .fresh) { rows throws(IdentityError) in
      var check = Check()
      for key in try signingKeys(rows) {
        check.count(key.keyID, try sealing.open(key.sealed.span, for: .signingKey, name: key.keyID) != nil)
      }
      for key in try accessKeys(rows) {
        check.count(key.id, try sealing.open(key.sealed.span, for: .accessKey, name: key.id) != nil)
      }
      return check
    }
  }

  /// Returns true if another master key sealed the stored secrets: this one opens none of them.
  ///
  /// Rows that cannot be read are left out, so that commands can remove them.
  ///
  /// - Parameters:
  ///   - sealing: the keys of a master key.
  ///   - store: the store of a service.
  /// - Returns: false also where no secret is stored.
  /// - Throws: `storeFailed`, `cryptoFailed`.
  package static func isWrong(
    _ sealing: SealingKeys, for store: any RecordStore
  ) async throws(IdentityError) -> Bool {
    try await store.read(at: .now, .fresh) { rows throws(IdentityError) in
      let (signing, access) = (try rows.signingKeys(), try rows.accessKeys())
      for key in signing {
        if try sealing.open(key.sealed.span, for: .signingKey, name: key.keyID) != nil { return false }
      }
      for key in access {
        if try sealing.open(key.sealed.span, for: .accessKey, name: key.id) != nil { return false }
      }
      return !(signing.isEmpty && access.isEmpty)
    }
  }

  /// Opens all stored secrets and seals them with the keys of another master key, in one transaction.
  ///
  /// No service may use the store meanwhile: it would seal new secrets with the old master key.
  ///
  /// - Parameters:
  ///   - store: the store.
  ///   - old: the keys of the present master key.
  ///   - new: the keys of the new master key.
  ///   - others: seals secrets of other tables in the same transaction, and returns their number. Default: none.
  /// - Returns: the number of secrets.
  /// - Throws: `storeFailed` for a secret that does not open and for rows that cannot be read: nothing is
  ///   changed; `cryptoFailed`; the errors of `others`.
  @discardableResult
  public static func reseal(
    in store: any RecordStore, from old: SealingKeys, to new: SealingKeys,
    with others: @escaping @Sendable (WriteTransaction<IdentityError>) throws(IdentityError) -> Int = { _ in 0
    }
  ) async throws(IdentityError) -> Int {
    try await store.write { rows throws(IdentityError) in
      let (signing, access) = (try signingKeys(rows), try accessKeys(rows))
      for var key in signing {
        key.sealed = try reseal(key.sealed, .signingKey, key.keyID, old, new)
        try rows.put(key)
      }
      for var key in access {
        key.sealed = try reseal(key.sealed, .accessKey, key.id, old, new)
        try rows.put(key)
      }
      return try signing.count + access.count + others(rows)
    }
  }

  private static func reseal(
    _ sealed: [UInt8], _ purpose: SealingKeys.Purpose, _ id: String, _ old: SealingKeys, _ new: SealingKeys
  ) throws(IdentityError) -> [UInt8] {
    guard let secret = try old.open(sealed.span, for: purpose, name: id) else {
      throw .storeFailed(
        "the key \(id.quoted) does not open: another master key sealed it. Remove it, or put that master key back"
      )
    }
    return try new.seal(secret, for: purpose, name: id)
  }

  /// All signing keys.
  ///
  /// - Throws: `storeFailed` if one cannot be read: its secret would be lost.
  private static func signingKeys(_ rows: ReadTransaction<IdentityError>) throws(IdentityError)
    -> [StoredSigningKey]
  {
    let keys = try rows.signingKeys()
    try check(keys.count, try rows.count(IdentityTables.signingKeys, limit: limit), "signing keys")
    return keys
  }

  private static func accessKeys(_ rows: ReadTransaction<IdentityError>) throws(IdentityError)
    -> [StoredAccessKey]
  {
    let keys = try rows.accessKeys()
    try check(keys.count, try rows.count(IdentityTables.accessKeys, limit: limit), "access keys")
    return keys
  }

  /// More rows than a list has.
  private static let limit = 1_000_000

  private static func check(_ read: Int, _ stored: Int, _ name: String) throws(IdentityError) {
    guard read == stored else {
      throw .storeFailed(
        "\(read) of \(stored) \(name) can be read; remove the others with key remove or revoke")
    }
  }
}
