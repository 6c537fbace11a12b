internal import ArgumentParser

/// The command's root: what it is, and what it can do.
struct VerifyToken: ParsableCommand {
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "verify-token",
    abstract: "Verify signed tokens (JWT) and say why.",
    discussion: """
      EXAMPLES:
        A token from standard input, against a key set in a file, every check
        explained:

          verify-token --explain --jwks keys.json \\
            --issuer https://issuer.example --audience my-api < token

        A Cognito access token, which has no audience but a client:

          verify-token --jwks jwks.json --any-audience \\
            --issuer https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Abc \\
            --require token_use=access --require client_id=1example < token

        A file of tokens, one a line, on all cores:

          verify-token --batch --key public.pem --any-issuer \\
            --audience my-api < tokens > verdicts.jsonl

      The options of verification: verify-token help verify

      EXIT STATUS: 0, every token is valid; 1, a token was refused; 2, the \
      command was used wrongly or a file could not be read.

      A token in an argument can be seen by every user of the machine while \
      the command runs, and stays in the shell's history. Prefer standard input.
      """,
    version: "verify-token \(version)",
    subcommands: [VerifyCommand.self, InspectCommand.self, JWKSCommand.self, LifetimeCommand.self],
    defaultSubcommand: VerifyCommand.self)
}
