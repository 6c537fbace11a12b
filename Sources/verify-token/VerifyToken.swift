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

        A Cognito access token; issuer and keys follow from the pool's id:

          verify-token --user-pool eu-west-1_Abc --use access \\
            --client-id 1example < token

        An ID token, with the keys where its issuer says that they are:

          verify-token --use id --issuer https://op.example --discover \\
            --client-id 1example --nonce "$nonce" < token

        A file of tokens, one a line, on all cores:

          verify-token --batch --key public.pem --any-issuer \\
            --audience my-api < tokens > verdicts.jsonl

      The options of verification: verify-token help verify

      EXIT STATUS: 0, every token is valid; 1, a token was refused; 2, the \
      command was used wrongly, a file could not be read, or keys could not be \
      had.

      A token in an argument can be seen by every user of the machine while \
      the command runs, and stays in the shell's history. Prefer standard input.
      """,
    version: "verify-token \(version)",
    subcommands: [
      VerifyCommand.self, InspectCommand.self, JWKSCommand.self, LifetimeCommand.self, SigV4Command.self,
      TOTPCommand.self,
    ],
    defaultSubcommand: VerifyCommand.self)
}
