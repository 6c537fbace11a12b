internal import ArgumentParser

/// `verify-token totp`: one-time codes.
struct TOTPCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "totp",
    abstract: "Check and show one-time codes (TOTP), and enroll devices.",
    discussion: """
      EXAMPLES:
        Check a code, and show its time step:

          verify-token totp --secret-file secret --explain < code

        Show the current code, and how long it is valid:

          verify-token totp code --secret-file secret

        Create a secret with its otpauth URI and QR code:

          verify-token totp enroll --issuer Example --account alice \\
            --secret-file alice.otp

      Secrets are read from files, as base32 or as an otpauth URI, never from \
      arguments.
      """,
    subcommands: [TOTPCheckCommand.self, TOTPCodeCommand.self, TOTPEnrollCommand.self],
    defaultSubcommand: TOTPCheckCommand.self)
}
