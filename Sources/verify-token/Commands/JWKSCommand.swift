internal import ArgumentParser
internal import JOSE
internal import OpenIDConnect

/// `verify-token jwks`: the keys of a set, and what is wrong with them.
struct JWKSCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jwks", abstract: "List the keys of a set or file, and what is wrong with them.",
    discussion: """
      Takes a JWK set, a JWK, PEM or DER, or the https address of a set. Ends with 1 where a key must be refused, with 2 where the \
      file cannot be read as keys at all.

      EXAMPLE:
        verify-token jwks keys.json
      """)

  @Argument(help: "The file or address; \"-\" for standard input.", completion: .file())
  var file: String

  @Option(help: "How the list is written.")
  var output: OutputFormat = .text

  @OptionGroup(title: "Fetching keys") var remote: RemoteOptions

  mutating func run() throws {
    let set: JWKSet
    do {
      if let address = try KeyOptions.address(file) {
        set = try remote.fetch(.address(address), for: nil)
      } else {
        set = try KeyFile.read(InputFile.read(file))
      }
    } catch let error as JOSEError {
      throw UsageProblem("\(InputFile.name(file)): \(error) [\(error.codeText)]")
    }
    switch output {
    case .text: StandardOutput.write(try TextReport(style: .forTerminal).keys(set))
    case .json: StandardOutput.write(try JSONReport.keys(set) + [0x0A])
    }
    if !set.rejected.isEmpty { throw ExitStatus.refused }
  }
}
