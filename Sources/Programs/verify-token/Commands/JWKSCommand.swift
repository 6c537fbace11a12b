internal import ArgumentParser
internal import JOSE
internal import OpenIDConnect

/// `verify-token jwks`: key sets.
struct JWKSCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jwks", abstract: "List the keys of a key set, and generate keys.",
    discussion: """
      EXAMPLES:
        List the keys of a file, and their problems:

          verify-token jwks keys.json

        Generate a key pair:

          verify-token jwks generate --private-file private.jwk \\
            --public-file public.json
      """,
    subcommands: [JWKSListCommand.self, JWKSGenerateCommand.self], defaultSubcommand: JWKSListCommand.self)
}

/// `verify-token jwks list`: lists keys and their problems.
struct JWKSListCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the keys of a key set or key file, and their problems.",
    discussion: """
      Reads a JWK set, a JWK, PEM or DER from a file, or a JWK set from an https \
      URL. Exits with 1 if a key is refused, with 2 if the input contains no key.

      EXAMPLE:
          verify-token jwks keys.json
      """)

  @Argument(help: #"A file, an https URL, or "-" for standard input."#, completion: .file())
  var file: String

  @Option(help: "Output format.")
  var output: OutputFormat = .text

  @OptionGroup(title: "Fetching keys") var remote: RemoteOptions

  func outcome() throws -> Outcome {
    let set: JWKSet
    do {
      if let url = try KeyOptions.url(file) {
        set = try remote.fetch(.address(url), for: nil)
      } else {
        set = try KeyFile.read(InputFile.read(file))
      }
    } catch let error as JOSEError {
      throw UsageError(error, in: InputFile.name(file))
    }
    return Outcome(
      isRefused: !set.rejected.isEmpty, text: { try $0.keys(set) }, json: { try JSONReport.keys(set) })
  }
}
