internal import ArgumentParser
internal import CognitoUserPool
internal import Foundation
internal import TokenSecurityBase

/// Imports users from a file.
struct UserImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import users from a file of comma-separated values.",
    discussion: """
      The first row names the columns: those that user-pool user header prints, \
      and srp:salt, srp:verifier and srp:id for users who keep their passwords. \
      Rows that fail are reported with their line, and the others are \
      imported. A user who exists is skipped, so that an import can be repeated.

      EXAMPLES:
        A file with one user:

          users=$(identity-service user-pool create staff \\
            --auto-verify email --data /var/lib/identity)
          echo 'cognito:username,cognito:mfa_enabled,email,email_verified
          jane,false,jane@example.com,true' > some.csv
          identity-service user-pool user import some.csv \\
            --data /var/lib/identity --pool "$users"
      """)
  @OptionGroup var folder: DataOptions
  @Argument(help: ArgumentHelp("The file.", valueName: "file"), completion: .file())
  var file: String
  @OptionGroup var pool: UserPoolOption
  @OptionGroup var output: OutputOptions

  /// The bytes that are read at once.
  private static let portion = 65_536

  func run() async throws {
    guard let source = FileHandle(forReadingAtPath: file) else {
      throw OperatingError("\(file) cannot be read", code: .fileUnusable)
    }
    defer { try? source.close() }
    let pool = pool.pool
    let users = try await folder.withServices { services in
      var users = try await UserImport(into: pool, of: services.userPools)
      while !users.isEnded, let part = try source.read(upToCount: Self.portion), !part.isEmpty {
        report(try await users.add(Array(part)))
      }
      if users.isEnded { return users }
      report(try await users.finish())
      return users
    }
    try output.json
      ? StandardOutput.print([
        "imported": .number(JSONNumber(users.imported)), "skipped": .number(JSONNumber(users.skipped)),
        "failed": .number(JSONNumber(users.failed)),
      ])
      : StandardOutput.print(
        "\(Self.count(users.imported, "user")) imported, \(users.skipped) skipped, \(users.failed) failed\n"
      )
    guard !users.isEnded else {
      throw OperatingError(
        "\(file): \(Self.count(users.failed, "row")) failed, and the file is not read beyond the last one",
        code: .rowsRefused)
    }
    guard users.failed == 0 else {
      throw OperatingError("\(file): \(Self.count(users.failed, "row")) failed", code: .rowsRefused)
    }
  }

  /// `1 user`, `2 users`.
  private static func count(_ number: Int, _ thing: String) -> String {
    "\(number) \(thing)\(number == 1 ? "" : "s")"
  }

  private func report(_ failures: [UserImport.Failure]) {
    for failure in failures {
      StandardError.write(
        "\(file):\(failure.line): \(failure.rule.visible(upTo: 1_024)) [\(failure.error.codeText)]\n")
    }
  }
}

/// Prints the columns of a file of users.
struct UserHeaderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "header", abstract: "Print the names of the columns that a file of users has.")
  @OptionGroup var folder: DataOptions
  @OptionGroup var pool: UserPoolOption

  func run() async throws {
    let pool = pool.pool
    let names = try await folder.withServices { try await UserImport.header(for: pool, of: $0.userPools) }
    try StandardOutput.print(names.joined(separator: ",") + "\n")
  }
}
