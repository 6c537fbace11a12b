internal import OpenIDConnect
internal import ServiceHosting
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

/// Authorizes requests for proxies. `verify-token serve` starts it with the file of its configuration, and before that
/// with `--check-config` where the file is only to be checked.
@main
enum Main {
  static func main() async {
    LibraryStart.lasting()
    signal(SIGPIPE, SIG_IGN)
    // Sockets get their mode after they are bound. Until then only this user may connect.
    umask(0o177)
    StandardStreams.openMissing()
    var words = Array(CommandLine.arguments.dropFirst())
    let isCheck = words.first?.isIdentical(to: "--check-config") == true
    if isCheck { words.removeFirst() } else { EarlyReload.begin() }
    guard words.count == 1, let path = words.first else {
      end("verify-token-serve needs one argument, the file of its configuration", "options_wrong")
    }
    do throws(StartError) {
      let file = ConfigurationFile(path: path)
      let configuration = try file.read()
      if isCheck {
        _ = try Sidecar.rules(configuration, of: file)
        let counts = [
          count(configuration.routeCount, "route", "routes"),
          count(configuration.tokens.policies.count, "policy", "policies"),
        ].joined(separator: ", ")
        guard
          Descriptor.writeAll(Array("the configuration is valid: \(counts)\n".utf8).span, to: STDOUT_FILENO)
        else { exit(2) }
        exit(0)
      }
      try await Sidecar(configuration, file).run()
    } catch {
      end(error.description, error.codeText)
    }
  }

  private static func count(_ number: Int, _ one: String, _ several: String) -> String {
    "\(number) \(number == 1 ? one : several)"
  }

  private static func end(_ sentence: String, _ code: String) -> Never {
    let text = "verify-token serve: \(sentence.visible(upTo: 4_096)) [\(code)]\n"
    _ = Descriptor.writeAll(Array(text.utf8).span, to: STDERR_FILENO)
    exit(2)
  }
}
