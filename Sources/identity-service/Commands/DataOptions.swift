internal import ArgumentParser
internal import CognitoIdentity

/// The options of commands that use a service's data. A running service may use it at the same time.
struct DataOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The service's data folder.", valueName: "folder"), completion: .directory)
  var data: String?

  @OptionGroup var database: DatabaseOptions

  @Option(help: ArgumentHelp("The service's region.", valueName: "region"))
  var region = "us-east-1"

  /// Calls `body` with a service over the data, which must exist, and closes the database.
  func withService<Result>(_ body: (IdentityPoolService) async throws -> Result) async throws -> Result {
    try ServiceConfiguration.checkRegion(region)
    let opened = try await ServiceData.open(folder: data, database: database.place)
    let service = IdentityPoolService(
      store: opened.store, sealing: opened.sealing, logins: LoginVerifier(),
      settings: IdentityPoolService.Settings(region: region))
    let result: Result
    do {
      result = try await body(service)
    } catch {
      try? await opened.close()
      throw error
    }
    try await opened.close()
    return result
  }
}

/// The options of commands that use the database of several nodes.
struct DatabaseOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The address of the nodes' PostgreSQL database.", valueName: "url"))
  var store: String?

  @Option(help: ArgumentHelp("A file with the database's password.", valueName: "file"), completion: .file())
  var storePasswordFile: String?

  @Option(
    help: ArgumentHelp("A PEM file with the trusted roots for the database.", valueName: "file"),
    completion: .file())
  var storeAuthorities: String?

  @Option(help: ArgumentHelp("The file with the nodes' master key.", valueName: "file"), completion: .file())
  var masterKey: String?

  /// The database; nil where the data is in a folder.
  var place: DatabasePlace? {
    store.map {
      DatabasePlace(
        url: $0, passwordFile: storePasswordFile, authorities: storeAuthorities, masterKey: masterKey)
    }
  }
}

/// The option of commands whose output programs read.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print one line of JSON.")
  var json = false
}
