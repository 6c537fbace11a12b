internal import CognitoIdentity

/// A service's rows and the keys that seal their secrets: a data folder for one process, or a PostgreSQL database
/// for any number.
enum ServiceData {
  case folder(DataFolder)
  case database(ServerDatabase)

  var store: any RecordStore {
    switch self {
    case .folder(let folder): folder.store
    case .database(let database): database.store
    }
  }

  var secrets: ServiceSecrets {
    switch self {
    case .folder(let folder): folder.secrets
    case .database(let database): database.secrets
    }
  }

  /// Opens the data of a service. With `makesData`, makes what does not exist.
  ///
  /// - Parameters:
  ///   - folder: the data folder.
  ///   - location: the database and its master key.
  ///   - makesData: whether to make the folder, or the tables of an empty database.
  ///   - onDamagedRow: called for rows that cannot be read.
  /// - Returns: the opened data.
  /// - Throws: `OperatingError`.
  static func open(
    folder: String?, database location: DatabaseLocation?, makesData: Bool = false,
    onDamagedRow: @escaping @Sendable (_ table: String, _ key: RecordKey) -> Void = { _, _ in }
  ) async throws -> ServiceData {
    switch (folder, location) {
    case (nil, nil):
      throw OperatingError(
        """
        the location of the data is missing: set --data FOLDER or IDENTITY_SERVICE_DATA for one process, or \
        --store and --master-key for several
        """
      )
    case (.some, .some):
      throw OperatingError("--data and --store exclude each other: the data is in a folder or in a database")
    case (let folder?, nil):
      return .folder(try await DataFolder.open(folder, makesFolder: makesData, onDamagedRow: onDamagedRow))
    case (nil, let location?):
      return .database(
        try await ServerDatabase(location, makesDatabase: makesData, onDamagedRow: onDamagedRow))
    }
  }

  /// Closes the database.
  func close() async throws(RecordStoreError) { try await store.close() }
}
