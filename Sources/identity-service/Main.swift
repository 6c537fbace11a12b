internal import ArgumentParser
internal import CognitoIdentity
internal import TokenSecurityCrypto
internal import NIOCore
internal import NIOPosix

/// The program: identity pools over HTTP, and commands for operators.
@main
enum Main {
  static func main() async {
    // Tasks run on the connections' event loops, so that a call does not change threads. Must precede the
    // first task.
    NIOSingletons.unsafeTryInstallSingletonPosixEventLoopGroupAsConcurrencyGlobalExecutor()
    await IdentityServiceCommand.main()
  }
}

struct IdentityServiceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "identity-service",
    abstract:
      "Identity pools with developer-authenticated identities, for the SDKs of Amazon Cognito.",
    discussion: """
      identity-service demo
          makes a pool and prints commands that get and verify a token

      identity-service serve --data /var/lib/identity --port 8008
          serves the pools in a folder, which it makes if it does not exist
      """,
    subcommands: [
      ServeCommand.self, DemoCommand.self, KeyCommand.self, RoleCommand.self, ProviderCommand.self,
    ])
}
