internal import ArgumentParser
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import TokenSecurityPlatform

/// The program. Its exit statuses are three: 0, every token is valid; 1, a token was refused; 2, the
/// command was used wrongly or a file could not be read.
@main
enum Main {
  static func main() {
    // A reader that goes away (`| head`) ends the output, not the program with a signal.
    signal(SIGPIPE, SIG_IGN)
    LibraryStart.minimal()
    do {
      var command = try parse()
      try command.run()
    } catch let status as ExitStatus {
      exit(status.rawValue)
    } catch let problem as UsageProblem {
      StandardError.write("verify-token: \(problem.message)\n")
      exit(ExitStatus.usage.rawValue)
    } catch {
      let message = VerifyToken.fullMessage(for: error)
      guard VerifyToken.exitCode(for: error) == .success else {
        let arguments = Array(CommandLine.arguments.dropFirst())
        StandardError.write(UsageProblem.visible(message, quoting: arguments) + "\n")
        exit(ExitStatus.usage.rawValue)
      }
      StandardOutput.write(message + "\n")
      exit(0)
    }
  }

  /// The command that the arguments say. The default one is tried by itself first: looking through all the others
  /// costs more than verifying a token. What it does not understand, help and mistakes among it, is for the root.
  private static func parse() throws -> any ParsableCommand {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first?.hasPrefix("--") == true, let command = try? VerifyCommand.parse(arguments) {
      return command
    }
    return try VerifyToken.parseAsRoot()
  }
}
