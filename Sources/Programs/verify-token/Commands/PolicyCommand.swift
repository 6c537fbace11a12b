internal import ArgumentParser

/// `verify-token policy`: access policies of IAM.
struct PolicyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "policy",
    abstract: "Check what access policies (IAM) allow, and explain it.",
    discussion: """
      EXAMPLE:
          verify-token policy check --policy policy.json \\
            --action s3:GetObject --resource arn:aws:s3:::files/a --explain
      """,
    subcommands: [PolicyCheckCommand.self],
    defaultSubcommand: PolicyCheckCommand.self)
}
