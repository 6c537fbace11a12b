internal import ArgumentParser
internal import CognitoIdentity
internal import Records
internal import TokenSecurityBase

/// Manages identity pools without an AWS SDK.
struct PoolCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pool", abstract: "Manage identity pools. A running service applies changes at once.",
    subcommands: [Create.self, List.self, Show.self, Delete.self])

  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a pool and print its id.",
      discussion: """
        EXAMPLES:
          A pool for your own users:

            identity-service pool create app --data /var/lib/identity \\
              --developer-provider login.my.app
        """)
    @OptionGroup var folder: DataOptions
    @Argument(help: ArgumentHelp("The pool's name (IdentityPoolName).", valueName: "name"))
    var name: String
    @Flag(help: "Give guests identities (AllowUnauthenticatedIdentities).")
    var allowGuests = false
    @Flag(help: "Enable the basic flow (AllowClassicFlow).")
    var allowClassicFlow = false
    @Option(
      help: ArgumentHelp(
        "The name of your own service in Logins (DeveloperProviderName). It cannot be changed later.",
        valueName: "name"))
    var developerProvider: String?
    @Option(
      help: ArgumentHelp(
        "A public provider and its client id (SupportedLoginProviders). Repeatable.",
        valueName: "provider=client"))
    var loginProvider: [String] = []
    @Option(
      help: ArgumentHelp(
        "The ARN of an OpenID provider (OpenIdConnectProviderARNs). Repeatable.", valueName: "arn"))
    var openidProvider: [String] = []
    @Option(
      help: ArgumentHelp(
        "A user pool, cognito-idp.REGION.amazonaws.com/POOL, and an app client (CognitoIdentityProviders). "
          + "Repeatable.", valueName: "pool=client"))
    var userPool: [String] = []
    @Option(help: ArgumentHelp("The role of users, which `role put` adds.", valueName: "arn"))
    var authenticatedRole: String?
    @Option(help: ArgumentHelp("The role of guests.", valueName: "arn"))
    var unauthenticatedRole: String?
    @Option(help: ArgumentHelp("A tag (IdentityPoolTags). Repeatable.", valueName: "key=value"))
    var tag: [String] = []
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let clients = try Self.pairs(userPool, "--user-pool").map {
        IdentityPool.UserPoolClient(providerName: $0.key, clientID: $0.value)
      }
      let logins = NameMap(try Self.pairs(loginProvider, "--login-provider"))
      let tags = NameMap(try Self.pairs(tag, "--tag"))
      let pool = try await folder.withService { service in
        try await service.createPool(named: name) { pool in
          pool.allowsGuests = allowGuests
          pool.allowsClassicFlow = allowClassicFlow ? true : nil
          pool.developerProviderName = developerProvider
          pool.supportedLoginProviders = logins
          pool.openIDProviderARNs = openidProvider
          pool.userPoolClients = clients
          pool.roles["authenticated"] = authenticatedRole
          pool.roles["unauthenticated"] = unauthenticatedRole
          pool.tags = tags
        }
      }
      try output.json ? StandardOutput.print(pool.object()) : StandardOutput.print(pool.id + "\n")
    }

    /// Splits values at their first `=`.
    private static func pairs(_ values: [String], _ option: String) throws -> [(key: String, value: String)] {
      try values.map { text in
        guard let sign = text.utf8.firstIndex(of: UInt8(ascii: "=")), sign != text.startIndex else {
          throw OperatingError("\(option) \(text.quoted): a name, = and a value are needed")
        }
        return (String(text[..<sign]), String(text[sign...].dropFirst()))
      }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List pools: their ids and names.")
    @OptionGroup var folder: DataOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let pools = try await folder.withService { service in
        var pools: [IdentityPool] = []
        var next: String? = nil
        repeat {
          let page = try await service.listPools(size: 60, next: next)
          pools += page.elements
          next = page.next
        } while next != nil
        return pools
      }
      guard !output.json else {
        return try StandardOutput.print([
          "IdentityPools": .array(
            pools.map {
              .object(["IdentityPoolId": .string($0.id), "IdentityPoolName": .string($0.name)])
            })
        ])
      }
      for pool in pools { try StandardOutput.print("\(pool.id)  \(pool.name)\n") }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show a pool's settings.")
    @OptionGroup var folder: DataOptions
    @Argument(help: ArgumentHelp("The pool's id.", valueName: "id")) var id: String
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let id = id
      let pool = try await folder.withService { try await $0.describePool(id) }
      guard !output.json else { return try StandardOutput.print(pool.object()) }
      for member in try pool.object().members {
        let value =
          member.value.string?.visible(upTo: 2_048)
          ?? String(decoding: JSONWriter.write(member.value), as: UTF8.self)
        guard value != "{}" else { continue }
        let space = String(repeating: " ", count: max(1, 32 - member.name.utf8.count))
        try StandardOutput.print("\(member.name)\(space)\(value)\n")
      }
    }
  }

  struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Delete a pool with its identities and their logins.")
    @OptionGroup var folder: DataOptions
    @Argument(help: ArgumentHelp("The pool's id.", valueName: "id")) var id: String

    func run() async throws {
      let id = id
      try await folder.withService { service in
        try await service.deletePool(id)
        // A service may run beside it.
        try await PacedRemoval().run { () throws(IdentityError) in try await service.continueRemovals() }
      }
    }
  }
}

extension IdentityPool {
  /// All settings, with the names of the API's members.
  fileprivate func object() throws -> JSONObject {
    try JSONValue(parsing: String(decoding: storedDocument, as: UTF8.self)).object ?? JSONObject()
  }
}
