internal import JOSE
public import Records
internal import TokenLifetime
internal import TokenSecurityCrypto

/// The tables of identity pools, for the store that a service is made over.
///
///     let store = try MemoryRecordStore(tables: IdentityTables.all)
///
/// Rows are read and written with the typed calls on `ReadTransaction` and `WriteTransaction`, such as
/// `rows.pool(id)` and `rows.put(pool)`.
public enum IdentityTables {
  /// All tables.
  public static let all: [any DeclaredTable] = [
    pools, identities, logins, roles, loginProviders, signingKeys, accessKeys, calls, settings, removedPools,
    managedPolicies, sessionRevocations,
  ]

  /// Rows are the pools' stored documents.
  package static let pools = Table<IdentityPool>(
    "pool", key: { RecordKey($0.id) },
    encoding: RowEncoding(
      encode: { pool, _ in pool.storedDocument },
      decode: { bytes, _ in IdentityPool(storedDocument: bytes) }))

  /// The keys of a pool's identities begin with the pool, so that a pool is removed with them.
  package static let identities = Table<Identity>(
    "identity", key: { identityKey($0.id, inPool: $0.poolID) }, indexes: [identityByID],
    encoding: Identity.encoding)
  package static let identityByID = Index<Identity>("id", isUnique: true) { [RecordKey($0.id)] }

  package static let logins = Table<StoredLogin>(
    "login",
    key: { row in
      let login = row.login
      // Without a digest the key of a long name remains too long, so that the store refuses it.
      return
        (try? loginKey(inPool: login.poolID, kind: login.kind, provider: login.provider, user: login.user))
        ?? RecordKey(login.poolID, login.kind.name, login.provider, login.user)
    }, indexes: [loginOfIdentity], encoding: StoredLogin.encoding)
  /// An identity's logins in the order of linking.
  package static let loginOfIdentity = Index<StoredLogin>("identity") {
    [RecordKey($0.login.identityID, $0.order)]
  }

  package static let roles = Table<StoredRole>(
    "role", key: { (try? roleKey($0.arn)) ?? RecordKey($0.arn) }, encoding: StoredRole.encoding)
  package static let loginProviders = Table<LoginProviderSettings>(
    "login_provider", key: { RecordKey($0.name) }, encoding: LoginProviderSettings.encoding)
  package static let signingKeys = Table<StoredSigningKey>(
    "signing_key", key: { RecordKey($0.keyID) }, encoding: StoredSigningKey.encoding)
  package static let accessKeys = Table<StoredAccessKey>(
    "access_key", key: { RecordKey($0.id) }, encoding: StoredAccessKey.encoding)
  package static let calls = Table<StoredCall>(
    "signed_call", key: { RecordKey($0.name) }, encoding: StoredCall.encoding, expires: { $0.expires })
  /// One row.
  package static let settings = Table<StoredSettings>(
    "service_settings", key: { _ in settingsKey }, encoding: StoredSettings.encoding)
  static let settingsKey = RecordKey("settings")
  package static let managedPolicies = Table<PermissionPolicy>(
    "managed_policy", key: { RecordKey($0.name) }, encoding: PermissionPolicy.encoding)
  package static let removedPools = Table<RemovedPool>(
    "removed_pool", key: { RecordKey($0.id) }, encoding: RemovedPool.encoding)
}

/// The keys that callers look up.
extension IdentityTables {
  static func identityKey(_ id: String, inPool poolID: String) -> RecordKey { RecordKey(poolID, id) }

  static func loginKey(
    inPool poolID: String, kind: LinkedLogin.Kind, provider: String, user: String
  ) throws(IdentityError) -> RecordKey {
    try RecordKey(poolID, kind.name, provider).appending(part(user, longest: 256))
  }

  static func roleKey(_ arn: String) throws(IdentityError) -> RecordKey {
    try RecordKey(part(arn, longest: 1_024))
  }

  /// A text as part of a key; a longer one as its digest. The two have different types, so that no text is
  /// another one's digest.
  static func part(_ text: String, longest: Int) throws(IdentityError) -> RecordKey.Part {
    guard text.utf8.count > longest else { return .text(text) }
    return .bytes(
      try IdentityError.crypto { () throws(CryptoError) in try DigestAlgorithm.sha256.hash(text.utf8.span) })
  }
}

extension IdentityTables {
  /// A row's key for logs, without the users of logins.
  package static func description(of key: RecordKey, in table: String) -> String {
    let texts = (key.parts ?? []).map { if case .text(let text) = $0 { text } else { "…" } }
    return texts.prefix(table == logins.name ? 3 : texts.count).joined(separator: " ")
  }
}

/// A login with its position among the logins of its identity.
package struct StoredLogin: StoredFields {
  package var login: LinkedLogin
  /// Orders the logins of an identity: microseconds since 1970 when it was linked, and more than that of the
  /// login before.
  package private(set) var order: Int64

  package init(login: LinkedLogin, order: Int64) {
    self.login = login
    self.order = order
  }

  package init() {
    login = LinkedLogin(
      poolID: "", kind: .external, provider: "", user: "", identityID: "", linked: Timestamp(seconds: 0))
    order = 0
  }

  package mutating func fields(_ f: inout RowFields) {
    f.text("pool", &login.poolID)
    f.choice("kind", &login.kind)
    f.text("provider", &login.provider)
    f.text("user", &login.user)
    f.text("identity", &login.identityID)
    f.time("linked", &login.linked)
    f.number("order", &order)
  }
}
