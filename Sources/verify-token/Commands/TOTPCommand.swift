internal import ArgumentParser

/// `verify-token totp`: one-time codes.
struct TOTPCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "totp",
    abstract: "Check and show one-time codes (TOTP), and set devices up for them.",
    discussion: """
      EXAMPLES:
        Check the code that was typed, and say which step it was for:

          verify-token totp --secret-file secret --explain < code

        The code that a device shows now, and how long it has left:

          verify-token totp code --secret-file secret

        A new secret with its URI and its QR code:

          verify-token totp enroll --issuer Example --account alice \\
            --secret-file secret

      Secrets come from files, as base32 or as the URI that devices scan; never \
      from arguments.
      """,
    subcommands: [TOTPCheckCommand.self, TOTPCodeCommand.self, TOTPEnrollCommand.self],
    defaultSubcommand: TOTPCheckCommand.self)
}
