public import Records
internal import TokenSecurityBase
package import TokenSecurityCrypto

/// The use of a pool's key: the tokens that it signs. ID tokens and access tokens have different keys.
package enum KeyUse: ExactString, Sendable, Hashable, CaseIterable {
  case id
  case access
}

/// Where the keys of one of a pool's rings are stored, and what seals them. They sign with RS256.
package struct PoolKeyStorage: SigningKeyStorage {
  private let poolID: String
  private let use: KeyUse
  private let secrets: UserPoolSecrets

  init(poolID: String, use: KeyUse, secrets: UserPoolSecrets) {
    self.poolID = poolID
    self.use = use
    self.secrets = secrets
  }

  package var algorithm: Algorithm { .rs256 }
  package var tokenType: String? { nil }

  /// The first characters of the thumbprint after hyphens: commands would read an id that begins with a hyphen as
  /// an option.
  package func keyID(thumbprint: String) -> String {
    String(Substring(thumbprint.utf8.drop { $0 == UInt8(ascii: "-") }.prefix(16)))
  }

  package func keys(in rows: ReadTransaction<UserPoolError>) throws(UserPoolError) -> [StoredSigningKey] {
    try rows.signingKeys(of: poolID, for: use)
  }

  package func hasKey(
    _ keyID: String, in rows: ReadTransaction<UserPoolError>
  ) throws(UserPoolError) -> Bool {
    try rows.hasSigningKey(keyID, of: poolID, for: use)
  }

  /// Adds or replaces a key. A removed pool gets none, which nothing would remove again.
  package func put(
    _ key: StoredSigningKey, in rows: WriteTransaction<UserPoolError>
  ) throws(UserPoolError) {
    _ = try rows.existingPool(poolID)
    var row = PoolSigningKey()
    row.poolID = poolID
    row.use = use.name
    row.key = key
    try rows.put(row, in: UserPoolTables.signingKeys)
  }

  package func remove(
    _ keyID: String, in rows: WriteTransaction<UserPoolError>
  ) throws(UserPoolError) {
    try rows.delete(RecordKey(poolID, use.name, keyID), from: UserPoolTables.signingKeys)
  }

  package func seal(_ secret: borrowing SecretBytes, keyID: String) throws(UserPoolError) -> [UInt8] {
    try secrets.seal(secret, for: .signingKey, name: sealName(keyID))
  }

  package func open(_ sealed: [UInt8], keyID: String) throws(UserPoolError) -> SecretBytes? {
    try secrets.open(sealed.span, for: .signingKey, name: sealName(keyID))
  }

  private func sealName(_ keyID: String) -> String {
    PoolSigningKey.sealName(pool: poolID, use: use.name, keyID: keyID)
  }
}

extension ReadTransaction<UserPoolError> {
  /// Maximum number of keys of a ring that are read.
  private static var keyLimit: Int { 100 }

  /// Returns a pool's keys of one use in signing order.
  package func signingKeys(
    of poolID: String, for use: KeyUse
  ) throws(UserPoolError) -> [StoredSigningKey] {
    let rows = try scan(
      UserPoolTables.signingKeys, .prefix(RecordKey(poolID, use.name)), limit: Self.keyLimit)
    return rows.map(\.key).sorted {
      ($0.signsFrom, ExactString($0.keyID)) < ($1.signsFrom, ExactString($1.keyID))
    }
  }

  /// Returns true where a key is published: it was neither revoked nor removed.
  package func hasSigningKey(
    _ keyID: String, of poolID: String, for use: KeyUse
  ) throws(UserPoolError) -> Bool {
    try contains(UserPoolTables.signingKeys, RecordKey(poolID, use.name, keyID))
  }
}

extension UserPoolError: SigningKeyFailure {
  /// Makes the error for what a ring refuses.
  ///
  /// - Parameter fault: what is wrong.
  public init(_ fault: SigningKeyError) {
    self =
      switch fault {
      case .missing: .cryptoFailed("the pool has no signing key")
      case .notOpened(let keyID):
        .storeFailed("the signing key \(keyID.quoted) does not open: another master key sealed it")
      case .notice(let notice, let longest):
        .parameterRefused(
          "the notice",
          rule: "\(notice) is not between 0 and \(longest)")
      case .notMade(let reason): .cryptoFailed("no signing key was made: \(reason)")
      case .token(let error): UserPoolError(error)
      }
  }
}
