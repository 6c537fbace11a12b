internal import ArgumentParser
internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// Copies a service's data.
struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy the data of a service consistently, also while it runs.",
    discussion: """
      The copy has the database and the master key, as files that only this user \
      can read. Together they reveal everything. When the command has ended with \
      the status 0, the copy is on the disk.

      EXAMPLES:
        A copy that restore accepts:

          identity-service backup --data /var/lib/identity /var/backups/identity
      """)

  @OptionGroup var folder: FolderOptions
  @Argument(
    help: ArgumentHelp("The folder for the copy. It must not exist, or be empty.", valueName: "folder"),
    completion: .directory)
  var destination: String
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let data = try await DataFolder.open(try folder.path())
    do {
      let copy = try await DataCopy.make(of: data, at: destination) {
        let size = FileStatus(path: data.paths.database)?.size ?? 0
        StandardError.write("copying \(data.paths.database), \(size) bytes\n")
      }
      try await data.close()
      try copy.report(output)
    } catch {
      try? await data.close()
      throw error
    }
  }
}

/// Makes a data folder from a copy.
struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Check a copy of a service's data and make a data folder from it.",
    discussion: """
      The copy is that of backup, or the files of a data folder after a clean \
      stop. It is refused if it is damaged or incomplete, was made by a newer \
      version, or if its master key does not open its secrets. The copy itself \
      is not changed.

      EXAMPLES:
        Restore, and start the service:

          identity-service restore /var/backups/identity --data /srv/identity
          identity-service serve --data /srv/identity
      """)

  @Argument(help: ArgumentHelp("The folder with the copy.", valueName: "folder"), completion: .directory)
  var source: String
  @Option(
    help: ArgumentHelp("The data folder to make. It must not exist, or be empty.", valueName: "folder"),
    completion: .directory)
  var data: String
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let copy = try await DataCopy.restore(source, to: data)
    try copy.report(output)
  }
}

/// The option of commands that use a data folder, whatever its region.
struct FolderOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The service's data folder.", valueName: "folder"), completion: .directory)
  var data: String?

  /// The folder: of the flag, or of the environment.
  ///
  /// - Throws: `OperatingError` without one.
  func path() throws -> String {
    let settings = try ServiceConfiguration.ofEnvironment()
    guard let path = data ?? settings.data, !path.isEmpty else {
      throw OperatingError(
        "the data folder is missing: set --data FOLDER or IDENTITY_SERVICE_DATA; this command works on "
          + "folders alone, and a database is copied with pg_dump")
    }
    return path
  }
}

extension DataCopy {
  /// Prints the files and their sizes.
  fileprivate func report(_ output: OutputOptions) throws {
    let files = [("identities.sqlite", paths.database), ("master.key", paths.masterKey)]
      .map { ($0.0, FileStatus(path: $0.1)?.size ?? 0) }
    guard !output.json else {
      return try StandardOutput.print([
        "folder": .string(paths.folder), "pools": .number(JSONNumber(pools)),
        "files": .array(
          files.map { .object(["name": .string($0.0), "bytes": .number(JSONNumber($0.1))]) }),
      ])
    }
    let list = files.map { "\($0.0) (\($0.1) bytes)" }.joined(separator: ", ")
    try StandardOutput.print("\(paths.folder): \(list); \(pools) \(pools == 1 ? "pool" : "pools")\n")
  }
}
