internal import ArgumentParser
internal import CognitoIdentity
internal import JOSE
internal import TokenSecurityBase

/// Manages settings of login providers.
struct ProviderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "provider", abstract: "Manage settings of login providers that apply to all pools.",
    subcommands: [Put.self, List.self, Remove.self])

  struct Put: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Set an OpenID provider's accepted client ids, or the keys that verify a provider's tokens.")
    @OptionGroup var folder: DataOptions
    @Argument(
      help: ArgumentHelp(
        "The provider's name as in Logins: accounts.google.com, or an OpenID issuer without https://.",
        valueName: "name"))
    var name: String
    @Option(
      help: ArgumentHelp("An accepted client id (aud). OpenID providers need at least one.", valueName: "id"))
    var clientID: [String] = []
    @Option(
      help: ArgumentHelp(
        "A file with a JWK set to use instead of the provider's own, for tests and closed networks.",
        valueName: "file"), completion: .file())
    var keys: String?

    func run() async throws {
      try checkName()
      var keySet: String? = nil
      if let keys {
        let text = try TextFile.read(keys)
        let count: Int
        do throws(JOSEError) { count = try JWKSet(json: text).keys.count } catch {
          throw OperatingError("\(keys): \(error)", code: .fileUnusable)
        }
        guard count > 0 else { throw OperatingError("\(keys) has no keys", code: .fileUnusable) }
        keySet = text
      }
      let settings = LoginProviderSettings(name: name, clientIDs: clientID, keys: keySet)
      try await folder.withService { service in
        try await service.store.write { rows throws(IdentityError) in try rows.put(settings) }
      }
    }

    /// A name that no pool can mention would never be used.
    private func checkName() throws {
      guard name.utf8.firstRange(of: "://".utf8) == nil else {
        throw OperatingError("the provider's name \(name.quoted) must be without https://, as in Logins")
      }
      guard LoginProvider(publicName: name) == nil else { return }
      guard let url = try? HTTPURL("https://" + name), url.query == nil,
        url.host.utf8.contains(UInt8(ascii: ".")) || url.port != 443
      else {
        throw OperatingError(
          "\(name.quoted) is neither a public provider, such as accounts.google.com or graph.facebook.com, nor an "
            + "OpenID provider's host name")
      }
      guard !clientID.isEmpty else {
        throw OperatingError("the OpenID provider \(name.quoted) needs a --client-id")
      }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List settings of login providers.")
    @OptionGroup var folder: DataOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let providers = try await folder.withService { service in
        try await service.store.read { rows throws(IdentityError) in try rows.loginProviders() }
      }
      guard !output.json else {
        return try StandardOutput.print([
          "providers": .array(
            providers.map { provider in
              .object([
                "name": .string(provider.name),
                "clientIDs": .array(provider.clientIDs.map { .string($0) }),
                "keys": .string(provider.keys == nil ? "provider" : "file"),
              ])
            })
        ])
      }
      for provider in providers {
        let keys = provider.keys == nil ? "its own keys" : "keys from a file"
        try StandardOutput.print("\(provider.name)  clients \(provider.clientIDs)  \(keys)\n")
      }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Remove a login provider's settings.")
    @OptionGroup var folder: DataOptions
    @Argument(help: ArgumentHelp("The provider's name.", valueName: "name")) var name: String

    func run() async throws {
      let name = name
      try await folder.withService { service in
        let isKnown = try await service.store.write { rows throws(IdentityError) in
          guard try rows.contains(IdentityTables.loginProviders, RecordKey(name)) else { return false }
          try rows.removeLoginProvider(name)
          return true
        }
        guard isKnown else {
          throw OperatingError("there is no provider \(name.quoted)", code: .nameUnknown)
        }
      }
    }
  }
}
