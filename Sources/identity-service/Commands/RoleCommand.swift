internal import ArgumentParser
internal import CognitoIdentity
internal import JOSE

/// Manages roles.
struct RoleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "role", abstract: "Manage roles and their trust policies.",
    subcommands: [Put.self, List.self, Remove.self])

  struct Put: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add or replace a role. A trust policy that allows any pool is refused.")
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

    /// Reports a trust policy that an earlier version accepted and this version refuses.
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
      abstract: "Remove a role. No new credentials are issued for it.")
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

/// Manages settings of login providers.
struct ProviderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "provider", abstract: "Manage settings of login providers that apply to all pools.",
    subcommands: [Put.self, List.self, Remove.self])

  struct Put: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Set an OpenID provider's accepted client ids, or the keys that verify a provider's tokens.")
    @OptionGroup var folder: KeyCommand.Folder
    @Argument(
      help: "The provider's name as in Logins: accounts.google.com, or an OpenID issuer without https://.")
    var name: String
    @Option(help: "An accepted client id (aud). OpenID providers need at least one.")
    var clientID: [String] = []
    @Option(
      help:
        "A file with a JWK set to use instead of the provider's own, for tests and closed networks."
    )
    var keys: String?

    func run() async throws {
      var keySet: String? = nil
      if let keys {
        let text = try TextFile.read(keys)
        guard try !JWKSet(json: text).keys.isEmpty else { throw OperatingError("\(keys) has no keys") }
        keySet = text
      }
      let settings = LoginProviderSettings(name: name, clientIDs: clientID, keys: keySet)
      try await folder.service().store.write { rows throws(IdentityError) in try rows.put(settings) }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List settings of login providers.")
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
    static let configuration = CommandConfiguration(abstract: "Remove a login provider's settings.")
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
