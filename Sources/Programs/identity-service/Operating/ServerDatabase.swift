internal import CognitoIdentity
internal import RecordsPostgreSQL
internal import TokenSecurityPlatform

/// Where a PostgreSQL database is, and the file of its services' master key.
struct DatabaseLocation: Sendable {
  var url: String
  var passwordFile: String?
  var authorities: String?
  var masterKey: String?
  /// The bounds of its use: connections, calls that wait, and the seconds of a call.
  var bounds: (connections: Int, waiting: Int, seconds: Int)?

  /// The variable of the environment with the database's password. libpq itself reads `PGPASSWORD`.
  static let passwordVariable = "IDENTITY_SERVICE_STORE_PASSWORD"

  /// The settings of the connections.
  ///
  /// - Throws: `OperatingError` for an address that is malformed or has a password.
  func settings() throws -> PostgreSQLSettings {
    let password: PostgreSQLSettings.Password =
      if let passwordFile {
        .file(passwordFile)
      } else if ProcessEnvironment.withBytes(of: Self.passwordVariable, { _ in true }) == true {
        .environment(Self.passwordVariable)
      } else {
        .none
      }
    var settings: PostgreSQLSettings
    do throws(RecordStoreError) {
      settings =
        if let authorities {
          try PostgreSQLSettings(url: url, password: password, rootCertificates: authorities)
        } else {
          try PostgreSQLSettings(url: url, password: password)
        }
    } catch {
      throw OperatingError("--store: \(error)")
    }
    if let bounds {
      settings.connections = bounds.connections
      settings.waitingLimit = bounds.waiting
      settings.callTimeout = .seconds(bounds.seconds)
    }
    return settings
  }
}

extension ServiceConfiguration {
  /// The database of several nodes; nil where the data is in a folder.
  var database: DatabaseLocation? {
    self.store.map {
      DatabaseLocation(
        url: $0, passwordFile: self.storePasswordFile, authorities: self.storeAuthorities,
        masterKey: self.masterKey,
        bounds: (self.storeConnections, self.storeWaiting, self.storeTimeout))
    }
  }
}

/// A PostgreSQL database that any number of services use, with one master key.
struct ServerDatabase {
  let store: PostgreSQLRecordStore
  let secrets: ServiceSecrets

  /// Opens the database, whose secrets the master key must open.
  ///
  /// - Parameters:
  ///   - location: where the database and the master key are.
  ///   - makesDatabase: whether to make the tables in an empty database, and to convert those of an older
  ///     version.
  ///   - onDamagedRow: called for rows that cannot be read.
  /// - Throws: `OperatingError`.
  init(
    _ location: DatabaseLocation, makesDatabase: Bool = false,
    onDamagedRow: @escaping @Sendable (_ table: String, _ key: RecordKey) -> Void = { _, _ in }
  ) async throws {
    guard let masterKey = location.masterKey else {
      throw OperatingError(
        "--store needs --master-key FILE: one file of 32 random bytes for all nodes, mode 600, for instance by (umask 077; openssl rand -out FILE 32)"
      )
    }
    secrets = try ServiceSecrets(master: try MasterKeyFile.readShared(masterKey))
    let settings = try location.settings()
    do throws(RecordStoreError) {
      store = try await PostgreSQLRecordStore(
        settings, tables: ServiceTables.all, makesDatabase: makesDatabase, migrates: makesDatabase,
        onDamagedRow: onDamagedRow)
    } catch {
      throw switch error.code {
      case .databaseTooOld: OperatingError.olderData("the database of --store") as any Error
      case .databaseEmpty: OperatingError.noData("the database of --store")
      default: error as any Error
      }
    }
    do {
      guard try await !SealedSecrets.isWrong(secrets.identityPools, for: store) else {
        throw OperatingError(
          "--master-key \(masterKey) does not open the secrets of this database: another master key sealed them",
          code: .fileUnusable)
      }
    } catch {
      try? await store.close()
      throw error
    }
  }
}
