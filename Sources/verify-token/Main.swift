internal import ArgumentParser
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import TokenSecurityPlatform

@main
enum Main {
  static func main() {
    // Output to a closed pipe (`| head`) must fail as a write, not end the program by a signal.
    signal(SIGPIPE, SIG_IGN)
    LibraryStart.minimal()
    do {
      var command = try parse()
      try command.run()
    } catch let status as ExitStatus {
      exit(status.rawValue)
    } catch let error as UsageError {
      StandardError.write("verify-token: \(error.message)\n")
      exit(ExitStatus.usage.rawValue)
    } catch {
      let message = VerifyToken.fullMessage(for: error)
      guard VerifyToken.exitCode(for: error) == .success else {
        let arguments = Array(CommandLine.arguments.dropFirst())
        StandardError.write(UsageError.visible(message, quoting: arguments) + "\n")
        exit(ExitStatus.usage.rawValue)
      }
      StandardOutput.write(message + "\n")
      exit(0)
    }
  }

  /// Tries the default command first: parsing with all subcommands takes longer than verifying a token. Help
  /// and errors are left to the root command.
  private static func parse() throws -> any ParsableCommand {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first?.hasPrefix("--") == true, let command = try? VerifyCommand.parse(arguments) {
      return command
    }
    return try VerifyToken.parseAsRoot()
  }
}
