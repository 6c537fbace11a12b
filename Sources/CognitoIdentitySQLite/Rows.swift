internal import CognitoIdentity
internal import Foundation
internal import GRDB

/// What can be looked at in one transaction of SQLite's. Every value is bound, none becomes part of a statement.
struct Rows: IdentityWriting {
  private let connection: Database

  init(_ connection: Database) { self.connection = connection }

  private func all<T>(
    _ sql: String, _ arguments: StatementArguments = [], _ make: (Row) -> T?
  ) throws(IdentityError) -> [T] {
    do {
      var values: [T] = []
      let rows = try Row.fetchCursor(try connection.cachedStatement(sql: sql), arguments: arguments)
      while let row = try rows.next() {
        guard let value = make(row) else {
          throw IdentityError.storeFailed("a row is not of the form that is read")
        }
        values.append(value)
      }
      return values
    } catch {
      throw SQLiteIdentityStore.fault(error)
    }
  }

  private func one<T>(
    _ sql: String, _ arguments: StatementArguments, _ make: (Row) -> T?
  ) throws(IdentityError) -> T? {
    try all(sql, arguments, make).first
  }

  func execute(_ sql: String, _ arguments: StatementArguments) throws(IdentityError) {
    do {
      try connection.cachedStatement(sql: sql).execute(arguments: arguments)
    } catch {
      throw SQLiteIdentityStore.fault(error)
    }
  }

  // MARK: Pools

  private func pool(_ row: Row) -> IdentityPool? { IdentityPool(storedDocument: Array(row[0] as Data)) }

  func pool(_ id: String) throws(IdentityError) -> IdentityPool? {
    try one("SELECT document FROM pool WHERE id = ?", [id], pool)
  }

  func pools(after id: String?, limit: Int) throws(IdentityError) -> [IdentityPool] {
    try all("SELECT document FROM pool WHERE id > ? ORDER BY id LIMIT ?", [id ?? "", limit], pool)
  }

  // MARK: Identities

  private func identity(_ row: Row) -> Identity? {
    Identity(
      id: row[0], poolID: row[1], created: row[2], modified: row[3], hasSignedIn: row[4], mergedInto: row[5])
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
      """, [poolID, id ?? "", includingMerged, limit], identity)
  }

  // MARK: Logins

  private func login(_ row: Row) -> LinkedLogin? {
    // Not Foundation's reading of texts, which leaves a byte order mark out.
    guard let user = String(validating: row[2] as Data, as: UTF8.self),
      let kind = LinkedLogin.Kind(name: row[5])
    else { return nil }
    return LinkedLogin(
      poolID: row[0], kind: kind, provider: row[1], user: user, identityID: row[3], linked: row[4])
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
      [identityID], login)
  }

  // MARK: Roles and providers

  private func role(_ row: Row) -> StoredRole? {
    StoredRole(arn: row[0], trustPolicy: row[1], longestSession: row[2])
  }

  func role(_ arn: String) throws(IdentityError) -> StoredRole? {
    try one("SELECT arn, trust_policy, longest_session FROM role WHERE arn = ?", [arn], role)
  }

  func roles() throws(IdentityError) -> [StoredRole] {
    try all("SELECT arn, trust_policy, longest_session FROM role ORDER BY arn", [], role)
  }

  private func provider(_ row: Row) -> LoginProviderSettings? {
    let ids = (row[1] as String).split(separator: "\n").map(String.init)
    return LoginProviderSettings(name: row[0], clientIDs: ids, keys: row[2])
  }

  func loginProvider(_ name: String) throws(IdentityError) -> LoginProviderSettings? {
    try one("SELECT name, client_ids, keys FROM login_provider WHERE name = ?", [name], provider)
  }

  func loginProviders() throws(IdentityError) -> [LoginProviderSettings] {
    try all("SELECT name, client_ids, keys FROM login_provider ORDER BY name", [], provider)
  }

  // MARK: Keys

  func signingKeys() throws(IdentityError) -> [StoredSigningKey] {
    try all("SELECT id, published, signs_from, sealed FROM signing_key ORDER BY signs_from, id") { row in
      StoredSigningKey(keyID: row[0], published: row[1], signsFrom: row[2], sealed: Array(row[3] as Data))
    }
  }

  private func accessKey(_ row: Row) -> StoredAccessKey? {
    // A limit that is not understood makes the key unreadable: without it the key could do more.
    guard let scope = AccessKeyScope(storedPools: row[4], storedCapabilities: row[5]) else { return nil }
    return StoredAccessKey(
      id: row[0], created: row[1], note: row[2], sealed: Array(row[3] as Data), scope: scope)
  }

  func accessKey(_ id: String) throws(IdentityError) -> StoredAccessKey? {
    try one("SELECT id, created, note, sealed, pools, may FROM access_key WHERE id = ?", [id], accessKey)
  }

  func accessKeys() throws(IdentityError) -> [StoredAccessKey] {
    try all("SELECT id, created, note, sealed, pools, may FROM access_key ORDER BY id", [], accessKey)
  }
}
