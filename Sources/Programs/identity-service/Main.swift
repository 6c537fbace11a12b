internal import ArgumentParser
internal import ServiceHosting
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

/// The program: identity pools and user pools over HTTP, and commands for operators.
@main
enum Main {
  static func main() async {
    LibraryStart.lasting()
    // Output to a closed pipe (`| head`) must fail as a write, not end the program by a signal.
    signal(SIGPIPE, SIG_IGN)
    StandardStreams.openMissing()
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first?.isIdentical(to: "serve") == true { EarlyReload.begin() }
    do {
      try CommandWords.check(arguments, of: IdentityServiceCommand.self)
      var command = try IdentityServiceCommand.parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      end(error, arguments)
    }
  }

  /// Reports an error, or prints the text of `--help` and `--version`, and exits.
  private static func end(_ error: any Error, _ arguments: [String]) -> Never {
    if let error = error as? any CodedError {
      let sentence = "\(error)".visible(upTo: 4_096)
      report("identity-service: \(sentence) [\(error.codeText)]", error.codeText, sentence, arguments)
      exit(ExitStatus(error).rawValue)
    }
    let message = UsageLine.shortened(in: IdentityServiceCommand.fullMessage(for: error))
    guard IdentityServiceCommand.exitCode(for: error) == .success else {
      let sentence = IdentityServiceCommand.message(for: error)
      // Of the system or another package.
      let isParser = IdentityServiceCommand.exitCode(for: error) == .validationFailure
      let code: OperatingError.Code = isParser ? .optionsWrong : .failed
      report(
        isParser ? message : "identity-service: \(sentence) [\(code.rawValue)]", code.rawValue, sentence,
        arguments)
      exit(ExitStatus.failed.rawValue)
    }
    exit(StandardOutput.write(message + "\n") ? 0 : ExitStatus.failed.rawValue)
  }

  /// Writes the message to standard error, and with `--json` also to standard output.
  private static func report(_ message: String, _ code: String, _ sentence: String, _ arguments: [String]) {
    StandardError.write(message.visible(quoting: arguments) + "\n")
    guard arguments.contains(where: { $0.isIdentical(to: "--json") }) else { return }
    StandardOutput.write(["code": .string(code), "message": .string(sentence.visible(quoting: arguments))])
  }
}

struct IdentityServiceCommand: AsyncParsableCommand {
  // Lines are at most 80 columns wide: the argument parser would wrap longer ones, and break the examples.
  static let configuration = CommandConfiguration(
    commandName: "identity-service",
    abstract:
      "Identity pools with developer-authenticated identities, and user pools, for the SDKs of Amazon Cognito.",
    discussion: """
      EXAMPLES:
        Try it: this makes a pool and prints commands that get and verify a token:

          identity-service demo

        Serve the pools in a folder, which is made if it does not exist:

          identity-service serve --data /var/lib/identity --port 8008

        Make a pool and a key for the backend that signs users in:

          pool=$(identity-service pool create app --data /var/lib/identity \\
            --developer-provider login.my.app)
          identity-service key create --data /var/lib/identity \\
            --pools "$pool" --may issue --print

        Copy the data while the service runs, and restore the copy elsewhere:

          identity-service backup --data /var/lib/identity /var/backups/identity
          identity-service restore /var/backups/identity --data /srv/identity

      EXIT STATUS: 0 for success, 1 if the service's rules refuse it or a copy \
      is not whole, 2 if the options are wrong, or a file, folder or address \
      cannot be used.
      """,
    version: "identity-service \(ProgramVersion.current)",
    subcommands: [
      ServeCommand.self, DemoCommand.self, DemoUserPoolCommand.self, PoolCommand.self,
      UserPoolCommand.self, KeyCommand.self, RoleCommand.self, PolicyCommand.self, SessionCommand.self,
      ProviderCommand.self,
      BackupCommand.self, RestoreCommand.self,
    ])
}
