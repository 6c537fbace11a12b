internal import ArgumentParser
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

@main
enum Main {
  static func main() {
    // Output to a closed pipe (`| head`) must fail as a write, not end the program by a signal.
    signal(SIGPIPE, SIG_IGN)
    // So must a file above the limit of the process (`ulimit -f`), so that what was written is removed.
    signal(SIGXFSZ, SIG_IGN)
    StandardStreams.openMissing()
    LibraryStart.minimal()
    let arguments = Array(CommandLine.arguments.dropFirst())
    let root: any ParsableCommand.Type =
      CompletionRoot.isRequested(by: arguments) ? CompletionRoot.self : VerifyToken.self
    do {
      var command = try parse(arguments, root)
      try command.run()
    } catch let status as ExitStatus {
      exit(status.rawValue)
    } catch let error as UsageError {
      (UnknownSubcommand.error(in: arguments) ?? error).endProgram(arguments)
    } catch {
      let message = root.fullMessage(for: error)
      guard root.exitCode(for: error) == .success else {
        if let error = UnknownSubcommand.error(in: arguments) { error.endProgram(arguments) }
        StandardError.write(message.visible(quoting: arguments) + "\n")
        let sentence = root.message(for: error).visible(quoting: arguments)
        let code = (error as? any CodedError)?.codeText ?? UsageError.optionsWrong
        UsageError(sentence, code: code).writeJSON(arguments)
        exit(ExitStatus.usage.rawValue)
      }
      StandardOutput.write(message + "\n")
      exit(0)
    }
  }

  /// Tries the default command first: parsing with all subcommands takes longer than verifying a token. Help
  /// and errors are left to the root command.
  private static func parse(
    _ arguments: [String], _ root: any ParsableCommand.Type
  ) throws -> any ParsableCommand {
    let isNamed = arguments.first?.isIdentical(to: "verify") == true
    if isNamed || arguments.first?.hasPrefix("--") == true,
      let command = try? VerifyCommand.parse(Array(arguments.dropFirst(isNamed ? 1 : 0)))
    {
      return command
    }
    return try root.parseAsRoot()
  }
}
