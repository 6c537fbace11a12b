internal import ArgumentParser

/// `verify-token totp`: one-time codes.
struct TOTPCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "totp",
    abstract: "Check and show one-time codes (TOTP), and enroll devices.",
    discussion: """
      EXAMPLES:
        Check a code, and show its time step:

          verify-token totp --secret-file alice.otp --explain < code

        Show the current code, and how long it is valid:

          verify-token totp code --secret-file alice.otp

        Create a secret with its otpauth URI and QR code:

          verify-token totp enroll --issuer Example --account bob \\
            --secret-file bob.otp

      Secrets are read from files, as base32 or as an otpauth URI, never from \
      arguments.
      """,
    subcommands: [TOTPCheckCommand.self, TOTPCodeCommand.self, TOTPEnrollCommand.self],
    defaultSubcommand: TOTPCheckCommand.self)
}
