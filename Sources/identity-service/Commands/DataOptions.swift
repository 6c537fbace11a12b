internal import ArgumentParser
internal import CognitoIdentity

/// The options of commands that use a service's data. A running service may use it at the same time.
struct DataOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The service's data folder.", valueName: "folder"), completion: .directory)
  var data: String

  @Option(help: ArgumentHelp("The service's region.", valueName: "region"))
  var region = "us-east-1"

  /// Calls `body` with a service over the folder, which must exist, and closes the database.
  func withService<Result>(_ body: (IdentityPoolService) async throws -> Result) async throws -> Result {
    try ServiceConfiguration.checkRegion(region)
    let folder = try await DataFolder.open(data)
    let service = IdentityPoolService(
      store: folder.store, sealing: folder.sealing, logins: LoginVerifier(),
      settings: IdentityPoolService.Settings(region: region))
    let result: Result
    do {
      result = try await body(service)
    } catch {
      try? await folder.close()
      throw error
    }
    try await folder.close()
    return result
  }
}

/// The option of commands whose output programs read.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print one line of JSON.")
  var json = false
}
