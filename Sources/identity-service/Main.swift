internal import ArgumentParser
internal import CognitoIdentity
internal import TokenSecurityCrypto
internal import NIOCore
internal import NIOPosix

/// The program: identity pools over HTTP, and what an operator needs around them.
@main
enum Main {
  static func main() async {
    // Tasks run where the connections are: a call goes from socket to socket without changing threads. It is done before
    // the first task is started.
    NIOSingletons.unsafeTryInstallSingletonPosixEventLoopGroupAsConcurrencyGlobalExecutor()
    await IdentityServiceCommand.main()
  }
}

struct IdentityServiceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "identity-service",
    abstract:
      "Identity pools with developer-authenticated identities, as Amazon Cognito's SDKs speak to them.",
    discussion: """
      identity-service demo
          makes a pool and prints the lines that get a token and verify it

      identity-service serve --data /var/lib/identity --port 8008
          serves what is in a folder, which may be empty at first
      """,
    subcommands: [
      ServeCommand.self, DemoCommand.self, KeyCommand.self, RoleCommand.self, ProviderCommand.self,
    ])
}
