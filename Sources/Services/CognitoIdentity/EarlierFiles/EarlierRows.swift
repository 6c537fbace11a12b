#if RecordsSQLite
  internal import Foundation
  internal import GRDB
  internal import RecordsSQLite
  internal import TokenSecurityBase

  /// Reads the rows of earlier tables and writes them to the new ones.
  ///
  /// A row that cannot be read is kept with all of its columns, and can still not be read.
  struct EarlierRows {
    private let connection: Database

    init(_ connection: Database) { self.connection = connection }

    func write(to new: DatabaseConversion) throws {
      try pools(new)
      try each("SELECT id, pool, created, modified, signed_in, merged_into FROM earlier_identity") { row in
        try new.rows.put(
          Identity(
            id: row[0], poolID: row[1], created: Timestamp(seconds: row[2]),
            modified: Timestamp(seconds: row[3]), hasSignedIn: row[4], mergedInto: row[5]),
          in: IdentityTables.identities)
      }
      try logins(new)
      try each("SELECT arn, trust_policy, longest_session FROM earlier_role") { row in
        try new.rows.put(
          StoredRole(arn: row[0], trustPolicy: row[1], longestSession: .seconds(row[2] as Int64)),
          in: IdentityTables.roles)
      }
      try each("SELECT name, client_ids, keys FROM earlier_login_provider") { row in
        // Split by bytes: a carriage return and a line feed are one Character.
        let ids = (row[1] as String).utf8.split(separator: UInt8(ascii: "\n")).map {
          String(decoding: $0, as: UTF8.self)
        }
        try new.rows.put(
          LoginProviderSettings(name: row[0], clientIDs: ids, keys: row[2]), in: IdentityTables.loginProviders
        )
      }
      try each("SELECT id, published, signs_from, sealed FROM earlier_signing_key") { row in
        try new.rows.put(
          StoredSigningKey(
            keyID: row[0], published: Timestamp(seconds: row[1]), signsFrom: Timestamp(seconds: row[2]),
            sealed: Array(row[3] as Data)), in: IdentityTables.signingKeys)
      }
      try accessKeys(new)
    }

    private func each(_ sql: String, _ take: (Row) throws -> Void) throws {
      let rows = try Row.fetchCursor(connection, sql: sql)
      while let row = try rows.next() { try take(row) }
    }

    private func pools(_ new: DatabaseConversion) throws {
      try each("SELECT id, document FROM earlier_pool") { row in
        let (id, document) = (row[0] as String, Array(row[1] as Data))
        // A document with another id than its row is damaged.
        if let pool = IdentityPool(storedDocument: document), pool.id == id {
          try new.rows.put(pool, in: IdentityTables.pools)
        } else {
          try new.keep(document, under: RecordKey(id), in: IdentityTables.pools)
        }
      }
    }

    /// In the first schema, logins under the name of the pool's developer provider are the developer's.
    private func logins(_ new: DatabaseConversion) throws {
      let kind =
        try EarlierSchema.isFirst(connection)
        ? "CASE WHEN provider = developer.name THEN 'developer' ELSE 'external' END" : "kind"
      let sql = """
        WITH developer AS MATERIALIZED (
          SELECT id, CASE WHEN json_valid(CAST(document AS TEXT))
            THEN json_extract(CAST(document AS TEXT), '$.DeveloperProviderName') END AS name
          FROM earlier_pool)
        SELECT number, pool, \(kind), provider, user, identity, linked
        FROM earlier_login LEFT JOIN developer ON developer.id = earlier_login.pool
        """
      try each(sql) { row in
        let (pool, kindName, provider, user) = (
          row[1] as String, row[2] as String, row[3] as String, row[4] as Data
        )
        // Foundation's decoding would drop a byte order mark.
        guard let name = String(validating: user, as: UTF8.self), let kind = LinkedLogin.Kind(name: kindName)
        else {
          let rest: JSONObject = [
            "userBytes": .string(Hex.string(Array(user))), "identity": .string(row[5]),
            "linked": .number(JSONNumber(row[6] as Int64)), "order": .number(JSONNumber(row[0] as Int64)),
          ]
          try new.keep(
            JSONWriter.write(rest), under: RecordKey(pool, kindName, provider, Array(user)),
            in: IdentityTables.logins)
          return
        }
        try new.rows.put(
          StoredLogin(
            login: LinkedLogin(
              poolID: pool, kind: kind, provider: provider, user: name, identityID: row[5],
              linked: Timestamp(seconds: row[6])),
            order: row[0]), in: IdentityTables.logins)
      }
    }

    private func accessKeys(_ new: DatabaseConversion) throws {
      // In the first schema every key allows everything.
      let scope = try EarlierSchema.isFirst(connection) ? "NULL, NULL" : "pools, may"
      try each("SELECT id, created, note, sealed, \(scope) FROM earlier_access_key") { row in
        let (id, sealed) = (row[0] as String, Array(row[3] as Data))
        guard let scope = AccessKeyScope(pools: row[4], capabilities: row[5]) else {
          // Without its scope the key would allow too much.
          let rest: JSONObject = [
            "note": .string(row[2]), "sealed": .string(Base64URL.string(sealed)),
            "pools": (row[4] as String?).map(JSONValue.string) ?? .null,
            "may": (row[5] as String?).map(JSONValue.string) ?? .null,
          ]
          try new.keep(JSONWriter.write(rest), under: RecordKey(id), in: IdentityTables.accessKeys)
          return
        }
        try new.rows.put(
          StoredAccessKey(
            id: id, created: Timestamp(seconds: row[1]), note: row[2], sealed: sealed, scope: scope),
          in: IdentityTables.accessKeys)
      }
    }
  }

  extension AccessKeyScope {
    /// Reads earlier columns: the pools' ids, one per line, and the capabilities' names, separated by commas; nil
    /// for no limit.
    fileprivate init?(pools: String?, capabilities names: String?) {
      var capabilities = Set(Capability.allCases)
      if let names {
        capabilities = []
        for name in names.parts(at: ",") {
          guard let capability = Capability(name: name) else { return nil }
          capabilities.insert(capability)
        }
      }
      do throws(IdentityError) {
        try self.init(pools: pools?.parts(at: "\n"), capabilities: capabilities)
      } catch {
        return nil
      }
    }
  }
#endif
