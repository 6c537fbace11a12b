internal import ArgumentParser
internal import CognitoIdentity
internal import OpenIDConnect

/// Roles: what IAM holds elsewhere.
struct RoleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "role", abstract: "Roles and their trust policies.",
    subcommands: [Put.self, List.self, Remove.self])

  struct Put: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Put a role in, or change it. A trust policy that admits any pool is refused.")
    @OptionGroup var folder: KeyCommand.Folder
    @Argument(help: "arn:aws:iam::ACCOUNT:role/NAME") var arn: String
    @Option(help: "A JSON file with the trust policy.") var trustPolicy: String
    @Option(help: "The longest session in seconds, 3600 to 43200.") var longestSession: Int64 = 3_600

    func run() async throws {
      let text = try TextFile.read(trustPolicy)
      try await folder.service().putRole(
        StoredRole(arn: arn, trustPolicy: text, longestSession: .seconds(longestSession)))
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List roles.")
    @OptionGroup var folder: KeyCommand.Folder

    func run() async throws {
      for role in try folder.service().store.read({ rows throws(IdentityError) in try rows.roles() }) {
        StandardOutput.write(
          "\(role.arn)  at most \(role.longestSession.wholeSeconds) s\(Self.problem(role))\n")
      }
    }

    /// A role whose policy an earlier version took and this one does not: nobody can assume it.
    private static func problem(_ role: StoredRole) -> String {
      do {
        _ = try TrustPolicy(json: role.trustPolicy)
        return ""
      } catch {
        return "  cannot be assumed: \(error)"
      }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove a role: no new credentials are given for it.")
    @OptionGroup var folder: KeyCommand.Folder
    @Argument(help: "The role's ARN.") var arn: String

    func run() async throws {
      let arn = arn
      try await folder.service().store.write { rows throws(IdentityError) in
        guard try rows.role(arn) != nil else { throw .roleUnknown(arn) }
        try rows.removeRole(arn)
      }
    }
  }
}

/// Login providers: our clients there, and for tests their keys.
struct ProviderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "provider", abstract: "What is known of login providers besides what pools say.",
    subcommands: [Put.self, List.self, Remove.self])

  struct Put: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract:
        "Say what our client ids are at an OpenID provider, or with which keys a provider's tokens are verified."
    )
    @OptionGroup var folder: KeyCommand.Folder
    @Argument(
      help: "The provider's name as in Logins: accounts.google.com, or an OpenID issuer without https://.")
    var name: String
    @Option(help: "A client id of ours; needed for OpenID providers, of which pools know no audience.")
    var clientID: [String] = []
    @Option(
      help:
        "A file with a JWK set that is used in the place of the provider's own: for tests and closed networks."
    )
    var keys: String?

    func run() async throws {
      var keySet: String? = nil
      if let keys {
        let text = try TextFile.read(keys)
        guard try !JWKSet(json: text).keys.isEmpty else { throw OperatingError("there is no key in \(keys)") }
        keySet = text
      }
      let settings = LoginProviderSettings(name: name, clientIDs: clientID, keys: keySet)
      try await folder.service().store.write { rows throws(IdentityError) in try rows.put(settings) }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List what is known of login providers.")
    @OptionGroup var folder: KeyCommand.Folder

    func run() async throws {
      let all = try folder.service().store.read { rows throws(IdentityError) in try rows.loginProviders() }
      for provider in all {
        StandardOutput.write(
          "\(provider.name)  clients \(provider.clientIDs)  \(provider.keys == nil ? "its own keys" : "keys from a file")\n"
        )
      }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Forget what is known of a login provider.")
    @OptionGroup var folder: KeyCommand.Folder
    @Argument(help: "The provider's name.") var name: String

    func run() async throws {
      let name = name
      try await folder.service().store.write { rows throws(IdentityError) in
        try rows.removeLoginProvider(name)
      }
    }
  }
}

/// For commands that need no network.
struct NoFetching: HTTPTransport {
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    throw .connection("no network is used here")
  }
}
