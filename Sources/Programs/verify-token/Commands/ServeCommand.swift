internal import ArgumentParser
internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// `verify-token serve`: starts the program that decides about requests for proxies.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Authorize requests by their tokens, for nginx and Envoy.",
    discussion: """
      Listens on a Unix socket, or on a port of this machine, and answers the \
      questions of nginx's auth_request and of Envoy's ext_authz: 200 with \
      claims in header fields, 401 or 403 with WWW-Authenticate, or 503 without \
      keys.

      SIGHUP reads the file again: all of it is used, or nothing. SIGTERM and \
      SIGINT stop it after the requests in progress.

      EXAMPLES:
        Check a configuration; without the option the command serves:

          verify-token serve --check-config sidecar.json
      """)

  @Argument(help: "A JSON file with the address, the policies and the routes.", completion: .file())
  var file: String

  @Flag(help: "Check the configuration and exit.")
  var checkConfig = false

  func run() throws {
    guard let program = HelperProgram("verify-token-serve") else {
      throw UsageError(
        "verify-token-serve is not installed beside this program: run make install",
        code: UsageError.fileUnusable)
    }
    program.becomes((checkConfig ? ["--check-config"] : []) + [file])
    throw UsageError(
      "verify-token-serve could not be started: \(SystemError.text)", code: UsageError.fileUnusable)
  }
}
