internal import AsyncHTTPTransport
internal import CognitoIdentity
internal import RecordsSQLite

/// Checks what a start needs, without serving and without changing data.
enum ConfigurationCheck {
  /// Reads the files that the settings name, and opens the data as commands do.
  ///
  /// - Parameter configuration: the settings, whose values were checked.
  /// - Returns: what the data is.
  /// - Throws: `OperatingError` for what a start would refuse.
  static func run(_ configuration: ServiceConfiguration) async throws -> String {
    _ = try configuration.tlsFiles()
    try configuration.checkMessageFiles(HTTPClientTransport())
    _ = try IntrospectionSettings.read(configuration.introspection)
    _ = try PushSenderSettings.read(configuration.push, transport: HTTPClientTransport())
    if let folder = configuration.data, isEmpty(DataPaths(folder)) {
      return "the first start makes the data in \(folder)"
    }
    let data: ServiceData
    do {
      data = try await ServiceData.open(folder: configuration.data, database: configuration.database)
    } catch let error as OperatingError {
      switch error.start {
      case .converts: return "the start converts the data of an older version"
      case .makes: return "the database is empty: the first start makes the data in it"
      case nil: throw error
      }
    }
    do {
      let settings = try await configuration.dataSettings().read(from: data.store)
      try await data.close()
      return "the data has the region \(settings.region)"
    } catch {
      try? await data.close()
      throw error
    }
  }

  private static func isEmpty(_ paths: DataPaths) -> Bool {
    !PrivateFiles.exists(paths.database) && !PrivateFiles.exists(paths.masterKey)
  }
}
