internal import ArgumentParser
internal import CognitoIdentity
internal import CognitoSync
internal import CognitoUserPool

/// The options of commands that use a service's data. A running service may use it at the same time.
struct DataOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The service's data folder.", valueName: "folder"), completion: .directory)
  var data: String?

  @OptionGroup var database: DatabaseOptions

  @Option(
    help: ArgumentHelp("The service's region. The data has it: another one is refused.", valueName: "region"))
  var region: String?

  /// Calls `body` with a service over the data, which must exist, and closes the database.
  func withService<Result>(_ body: (IdentityPoolService) async throws -> Result) async throws -> Result {
    try await withServices { try await body($0.identityPools) }
  }

  /// Calls `body` with the services over the data, which must exist, and closes the database.
  func withServices<Result>(_ body: (PoolServices) async throws -> Result) async throws -> Result {
    let settings = try settings()
    let opened = try await ServiceData.open(folder: settings.data, database: settings.database)
    let result: Result
    do {
      let stored = try await settings.dataSettings().read(from: opened.store)
      let services = PoolServices(
        identityPools: IdentityPoolService(
          store: opened.store, sealing: opened.secrets.identityPools, logins: LoginVerifier(),
          settings: stored.ofIdentityPools, observer: DatasetObserver()),
        userPools: UserPoolService(
          store: opened.store, secrets: opened.secrets.userPools, settings: stored.ofUserPools,
          hooks: SkippedHooks()),
        dataSets: SyncService(
          store: opened.store, secrets: opened.secrets.dataSets, settings: .init(account: stored.account)))
      result = try await body(services)
    } catch {
      try? await opened.close()
      throw error
    }
    try await opened.close()
    return result
  }

  /// The settings of the environment, and the flags that replace them.
  private func settings() throws -> ServiceConfiguration {
    var settings = try ServiceConfiguration.ofEnvironment()
    if let data { settings.data = data }
    if let store = database.store { settings.store = store }
    if let file = database.storePasswordFile { settings.storePasswordFile = file }
    if let file = database.storeAuthorities { settings.storeAuthorities = file }
    if let file = database.masterKey { settings.masterKey = file }
    if let region { settings.region = region }
    try settings.check()
    return settings
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
}

/// The option of commands whose output programs read.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print one line of JSON.")
  var json = false
}
