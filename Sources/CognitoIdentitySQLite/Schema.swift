internal import GRDB

/// The tables and the migrations of older files.
enum Schema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { connection in
      // Users' identifiers are BLOBs: they are compared by bytes, without Unicode normalization.
      try connection.execute(
        sql: """
          CREATE TABLE pool (id TEXT PRIMARY KEY, document BLOB NOT NULL) STRICT, WITHOUT ROWID;
          CREATE TABLE identity (
            id TEXT PRIMARY KEY,
            pool TEXT NOT NULL REFERENCES pool(id) ON DELETE CASCADE,
            created INTEGER NOT NULL,
            modified INTEGER NOT NULL,
            signed_in INTEGER NOT NULL,
            merged_into TEXT
          ) STRICT, WITHOUT ROWID;
          CREATE INDEX identity_of_pool ON identity(pool, id);
          CREATE TABLE login (
            number INTEGER PRIMARY KEY,
            pool TEXT NOT NULL,
            provider TEXT NOT NULL,
            user BLOB NOT NULL,
            identity TEXT NOT NULL REFERENCES identity(id) ON DELETE CASCADE,
            linked INTEGER NOT NULL,
            UNIQUE (pool, provider, user)
          ) STRICT;
          CREATE INDEX login_of_identity ON login(identity, number);
          CREATE TABLE role (
            arn TEXT PRIMARY KEY, trust_policy TEXT NOT NULL, longest_session INTEGER NOT NULL
          ) STRICT, WITHOUT ROWID;
          CREATE TABLE login_provider (
            name TEXT PRIMARY KEY, client_ids TEXT NOT NULL, keys TEXT
          ) STRICT, WITHOUT ROWID;
          CREATE TABLE signing_key (
            id TEXT PRIMARY KEY, published INTEGER NOT NULL, signs_from INTEGER NOT NULL, sealed BLOB NOT NULL
          ) STRICT, WITHOUT ROWID;
          CREATE TABLE access_key (
            id TEXT PRIMARY KEY, created INTEGER NOT NULL, note TEXT NOT NULL, sealed BLOB NOT NULL
          ) STRICT, WITHOUT ROWID;
          """)
    }
    migrator.registerMigration("2") { connection in
      // Adds the kind to a login's key. Logins under the pool's developer provider name are developer logins;
      // an OpenID provider of the same name gets separate logins.
      try connection.execute(
        sql: """
          CREATE TEMP TABLE developer_provider AS
            SELECT id, CASE WHEN json_valid(CAST(document AS TEXT))
              THEN json_extract(CAST(document AS TEXT), '$.DeveloperProviderName') END AS name
            FROM pool;
          CREATE TABLE keyed_login (
            number INTEGER PRIMARY KEY,
            pool TEXT NOT NULL,
            kind TEXT NOT NULL,
            provider TEXT NOT NULL,
            user BLOB NOT NULL,
            identity TEXT NOT NULL REFERENCES identity(id) ON DELETE CASCADE,
            linked INTEGER NOT NULL,
            UNIQUE (pool, kind, provider, user)
          ) STRICT;
          INSERT INTO keyed_login (number, pool, kind, provider, user, identity, linked)
            SELECT number, pool,
              CASE WHEN provider = name THEN 'developer' ELSE 'external' END, provider, user, identity, linked
            FROM login LEFT JOIN developer_provider ON developer_provider.id = login.pool;
          DROP TABLE login;
          ALTER TABLE keyed_login RENAME TO login;
          CREATE INDEX login_of_identity ON login(identity, number);
          DROP TABLE developer_provider;
          -- NULL: every pool, and every kind of call.
          ALTER TABLE access_key ADD COLUMN pools TEXT;
          ALTER TABLE access_key ADD COLUMN may TEXT;
          """)
    }
    return migrator
  }
}
