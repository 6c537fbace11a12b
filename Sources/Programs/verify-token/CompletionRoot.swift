internal import ArgumentParser
internal import TokenSecurityBase

/// The root command of completion scripts. Unlike ``VerifyToken`` it has the options of the default command,
/// which shells then offer without a subcommand. It has no positional argument, because shells would take the
/// name of a subcommand for it.
struct CompletionRoot: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify-token", abstract: VerifyToken.configuration.abstract,
    version: VerifyToken.configuration.version, subcommands: VerifyToken.configuration.subcommands)

  @OptionGroup(title: "Keys") var keys: KeyOptions
  @OptionGroup(title: "Fetching keys") var remote: RemoteOptions
  @OptionGroup(title: "Profiles") var profiles: ProfileOptions
  @OptionGroup(title: "Expected claims and limits") var policyOptions: PolicyOptions
  @OptionGroup var report: ReportOptions

  /// True if the command line asks for a completion script.
  static func isRequested(by arguments: [String]) -> Bool {
    arguments.first?.hasPrefix("--generate-completion-script") == true
  }
}
