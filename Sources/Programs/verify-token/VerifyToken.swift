internal import ArgumentParser
internal import TokenSecurityPlatform

/// The root command.
struct VerifyToken: ParsableCommand {
  // Lines are at most 80 columns wide: the argument parser would wrap longer ones, and break the examples.
  static let configuration = CommandConfiguration(
    commandName: "verify-token",
    abstract: "Verify signed tokens (JWT) and explain the result.",
    discussion: """
      EXAMPLES:
        Verify a token with the keys in a file, and show every check:

          verify-token --explain --jwks keys.json \\
            --issuer https://issuer.example --audience my-api < token

        Verify an access token of a Cognito user pool; the pool's id sets the
        issuer and the URL of the keys:

          verify-token --user-pool eu-west-1_Example01 --use access \\
            --client-id 1h57kf5cpq17m0eml12EXAMPLE < token

        Verify an ID token with the keys that the issuer publishes:

          verify-token --use id --issuer https://op.example --discover \\
            --client-id my-client --nonce "$nonce" < token

        Verify a file with one token per line, on all cores:

          verify-token --batch --key public.pem --any-issuer \\
            --audience my-api < tokens > verdicts.jsonl

      The options for verification: verify-token help verify

      EXIT STATUS: 0 if all tokens are valid or the policies allow the request, \
      1 if a token is refused or the request is denied, 2 if the options are \
      wrong, a file could not be read or written, a policy cannot be loaded, or \
      keys could not be fetched.

      While the command runs, other users of the machine can see a token in an \
      argument, and it stays in the shell's history. Prefer standard input.
      """,
    version: "verify-token \(ProgramVersion.current)",
    subcommands: [
      VerifyCommand.self, InspectCommand.self, SignCommand.self, JWKSCommand.self, LifetimeCommand.self,
      SigV4Command.self, TOTPCommand.self, PolicyCommand.self, ServeCommand.self,
      CodesCommand.self,
    ],
    defaultSubcommand: VerifyCommand.self)
}
