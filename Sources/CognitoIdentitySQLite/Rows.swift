internal import CognitoIdentity
internal import TokenSecurityEncodings
internal import Foundation
internal import GRDB

/// A transaction of SQLite. All values are bound as parameters of prepared statements.
struct Rows: IdentityWriting {
  typealias Value = (any DatabaseValueConvertible)?

  private let connection: Database
  private let broken: BrokenRows

  init(_ connection: Database, _ broken: BrokenRows) {
    self.connection = connection
    self.broken = broken
  }

  /// Returns true where a text contains U+0000, at which SQLite's functions end texts.
  private static func hasNull(_ values: [Value]) -> Bool {
    values.contains { ($0 as? String)?.utf8.contains(0) ?? false }
  }

  /// Reads rows until `take` returns false.
  private func each(_ sql: String, _ values: [Value], _ take: (Row) throws -> Bool) throws(IdentityError) {
    // No stored text contains U+0000.
    guard !Self.hasNull(values) else { return }
    do {
      let rows = try Row.fetchCursor(
        try connection.cachedStatement(sql: sql), arguments: StatementArguments(values))
      while let row = try rows.next(), try take(row) {}
    } catch {
      throw SQLiteIdentityStore.storeError(error)
    }
  }

  /// Returns the readable rows, at most `limit`. Other rows are reported with the id in column `name`.
  private func all<T>(
    _ sql: String, _ values: [Value] = [], of table: String, name: Int = 0, limit: Int = .max,
    _ make: (Row) -> T?
  ) throws(IdentityError) -> [T] {
    var found: [T] = []
    guard limit > 0 else { return [] }
    try each(sql, values) { row in
      if let value = make(row) { found.append(value) } else { broken.report(table, row[name]) }
      return found.count < limit
    }
    return found
  }

  private func one<T>(_ sql: String, _ values: [Value], _ make: (Row) -> T?) throws(IdentityError) -> T? {
    var found: T?
    try each(sql, values) { row in
      found = make(row)
      guard found != nil else { throw IdentityError.storeFailed("the row cannot be read") }
      return false
    }
    return found
  }

  func execute(_ sql: String, _ values: [Value]) throws(IdentityError) {
    guard !Self.hasNull(values) else {
      throw .parameterRefused("a text", rule: "it has the character U+0000")
    }
    do {
      try connection.cachedStatement(sql: sql).execute(arguments: StatementArguments(values))
    } catch {
      throw SQLiteIdentityStore.storeError(error)
    }
  }

  // MARK: Pools

  private func pool(_ row: Row) -> IdentityPool? {
    let pool = IdentityPool(storedDocument: Array(row[1] as Data))
    // A document with another id than its row is damaged.
    return pool?.id == (row[0] as String) ? pool : nil
  }

  func pool(_ id: String) throws(IdentityError) -> IdentityPool? {
    try one("SELECT id, document FROM pool WHERE id = ?", [id], pool)
  }

  func hasPool(_ id: String) throws(IdentityError) -> Bool {
    try one("SELECT id FROM pool WHERE id = ?", [id]) { $0[0] as String } != nil
  }

  func poolCount() throws(IdentityError) -> Int {
    try one("SELECT count(*) FROM pool", []) { $0[0] as Int } ?? 0
  }

  func pools(after id: String?, limit: Int) throws(IdentityError) -> [IdentityPool] {
    try all(
      "SELECT id, document FROM pool WHERE id > ? ORDER BY id", [id ?? ""], of: "pool", limit: limit, pool)
  }

  // MARK: Identities

  private func identity(_ row: Row) -> Identity? {
    Identity(
      id: row[0], poolID: row[1], created: Timestamp(seconds: row[2]), modified: Timestamp(seconds: row[3]),
      hasSignedIn: row[4], mergedInto: row[5])
  }

  func identity(_ id: String) throws(IdentityError) -> Identity? {
    try one(
      "SELECT id, pool, created, modified, signed_in, merged_into FROM identity WHERE id = ?", [id], identity)
  }

  func identities(inPool poolID: String, after id: String?, limit: Int, includingMerged: Bool)
    throws(IdentityError) -> [Identity]
  {
    try all(
      """
      SELECT id, pool, created, modified, signed_in, merged_into FROM identity
      WHERE pool = ? AND id > ? AND (? OR merged_into IS NULL) ORDER BY id LIMIT ?
      """, [poolID, id ?? "", includingMerged, limit], of: "identity", identity)
  }

  // MARK: Logins

  private func login(_ row: Row) -> LinkedLogin? {
    // Foundation's decoding would drop a byte order mark.
    guard let user = String(validating: row[2] as Data, as: UTF8.self),
      let kind = LinkedLogin.Kind(name: row[5])
    else { return nil }
    return LinkedLogin(
      poolID: row[0], kind: kind, provider: row[1], user: user, identityID: row[3],
      linked: Timestamp(seconds: row[4]))
  }

  func login(
    inPool poolID: String, kind: LinkedLogin.Kind, provider: String, user: String
  ) throws(IdentityError) -> LinkedLogin? {
    try one(
      """
      SELECT pool, provider, user, identity, linked, kind FROM login
      WHERE pool = ? AND kind = ? AND provider = ? AND user = ?
      """,
      [poolID, kind.name, provider, Data(user.utf8)], login)
  }

  func logins(of identityID: String) throws(IdentityError) -> [LinkedLogin] {
    try all(
      "SELECT pool, provider, user, identity, linked, kind FROM login WHERE identity = ? ORDER BY number",
      [identityID], of: "login", name: 3, login)
  }

  // MARK: Roles and providers

  private func role(_ row: Row) -> StoredRole? {
    StoredRole(arn: row[0], trustPolicy: row[1], longestSession: .seconds(row[2] as Int64))
  }

  func role(_ arn: String) throws(IdentityError) -> StoredRole? {
    try one("SELECT arn, trust_policy, longest_session FROM role WHERE arn = ?", [arn], role)
  }

  func roles() throws(IdentityError) -> [StoredRole] {
    try all("SELECT arn, trust_policy, longest_session FROM role ORDER BY arn", of: "role", role)
  }

  private func provider(_ row: Row) -> LoginProviderSettings? {
    // Split by bytes: a carriage return and a line feed are one Character.
    let ids = (row[1] as String).utf8.split(separator: UInt8(ascii: "\n")).map {
      String(decoding: $0, as: UTF8.self)
    }
    return LoginProviderSettings(name: row[0], clientIDs: ids, keys: row[2])
  }

  func loginProvider(_ name: String) throws(IdentityError) -> LoginProviderSettings? {
    try one("SELECT name, client_ids, keys FROM login_provider WHERE name = ?", [name], provider)
  }

  func loginProviders() throws(IdentityError) -> [LoginProviderSettings] {
    try all("SELECT name, client_ids, keys FROM login_provider ORDER BY name", of: "login_provider", provider)
  }

  // MARK: Keys

  func signingKeys() throws(IdentityError) -> [StoredSigningKey] {
    try all(
      "SELECT id, published, signs_from, sealed FROM signing_key ORDER BY signs_from, id", of: "signing_key"
    ) { row in
      StoredSigningKey(
        keyID: row[0], published: Timestamp(seconds: row[1]), signsFrom: Timestamp(seconds: row[2]),
        sealed: Array(row[3] as Data))
    }
  }

  private func accessKey(_ row: Row) -> StoredAccessKey? {
    // A key with a malformed scope is unreadable: without the scope it would allow too much.
    guard let scope = AccessKeyScope(storedPools: row[4], storedCapabilities: row[5]) else { return nil }
    return StoredAccessKey(
      id: row[0], created: Timestamp(seconds: row[1]), note: row[2], sealed: Array(row[3] as Data),
      scope: scope)
  }

  func accessKey(_ id: String) throws(IdentityError) -> StoredAccessKey? {
    try one("SELECT id, created, note, sealed, pools, may FROM access_key WHERE id = ?", [id], accessKey)
  }

  func accessKeys() throws(IdentityError) -> [StoredAccessKey] {
    try all(
      "SELECT id, created, note, sealed, pools, may FROM access_key ORDER BY id", of: "access_key", accessKey)
  }
}
