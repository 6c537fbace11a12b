internal import ArgumentParser
internal import CognitoIdentity
internal import Records
internal import ServiceOperations
internal import TokenSecurityBase

/// Manages identity pools without an AWS SDK.
struct PoolCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pool", abstract: "Manage identity pools. A running service applies changes at once.",
    subcommands: [
      Create.self, List.self, Show.self, Update.self, Delete.self, PoolPushCommand.self,
      PoolTokenCommand.self,
    ])

  /// A pool in the arguments.
  struct PoolID: ParsableArguments {
    @Argument(help: ArgumentHelp("The pool's id.", valueName: "id")) var id: String

    var input: OptionInput {
      var input = OptionInput()
      input.set("IdentityPoolId", "<id>", text: id)
      return input
    }
  }

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
    @OptionGroup var options: IdentityPoolOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      var input = OptionInput(["AllowUnauthenticatedIdentities": false])
      input.set("IdentityPoolName", "<name>", text: name)
      try options.apply(to: &input)
      let pool = try await folder.withCalls { [input] calls in
        var settings = input
        settings.members = input.members.members(of: CreateIdentityPool.self)
        let made = try await calls.call(CreateIdentityPool.self, settings)
        do {
          try await IdentityPoolState.setRoles(input, made["IdentityPoolId"], calls)
        } catch {
          _ = try? await calls.call(
            DeleteIdentityPool.self, ["IdentityPoolId": made["IdentityPoolId"] ?? .null])
          throw error
        }
        return try await calls.services.identityPools.describePool(made["IdentityPoolId"]?.string ?? "")
      }
      try output.json ? StandardOutput.print(pool.object()) : StandardOutput.print(pool.id + "\n")
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List pools: their ids and names.")
    @OptionGroup var folder: DataOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let pools = try await folder.withCalls { try await $0.list(ListIdentityPools.self, "IdentityPools") }
      try pools.printList("IdentityPools", output) { pool in
        "\(pool["IdentityPoolId"]?.string ?? "")  \(pool["IdentityPoolName"]?.string ?? "")"
      }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show a pool's settings.")
    @OptionGroup var folder: DataOptions
    @OptionGroup var pool: PoolID
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let input = pool.input
      let shown = try await folder.withCalls { calls in
        try await input.explaining { try await calls.services.identityPools.describePool(pool.id) }
      }
      try shown.object().printShown(output)
    }
  }

  struct Update: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Change settings of a pool and print each change. Other settings stay.",
      discussion: """
        Providers are added to those that the pool has. The members of --settings \
        are merged into the pool's settings, nested ones too; null removes a \
        setting.

        EXAMPLES:
          Add the name of your own service:

            identity-service pool update "$pool" --data /var/lib/identity \\
              --developer-provider login.my.app
        """)
    @OptionGroup var folder: DataOptions
    @OptionGroup var pool: PoolID
    @Option(help: ArgumentHelp("A new name (IdentityPoolName).", valueName: "name")) var name: String?
    @OptionGroup var options: IdentityPoolOptions
    @Option(help: ArgumentHelp("The key of a tag to remove. Repeatable.", valueName: "key"))
    var untag: [String] = []
    @OptionGroup var settings: CallSettings
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let patch = try settings.object(for: UpdateIdentityPool.self, SetIdentityPoolRoles.self)
      let id = pool.input
      let (changes, shown) = try await folder.withCalls { calls in
        let changes = try await SettledChange.make { () -> [SettingChange]? in
          let old = try await IdentityPoolState.read(id, calls)
          var new = OptionInput(old.settings, file: settings.settings)
          new.members.merge(patch)
          new.set("IdentityPoolName", "--name", text: name)
          try options.apply(to: &new)
          for key in untag { new.members.remove(["IdentityPoolTags", key]) }
          return try await IdentityPoolState.write(new, over: old, id, calls)
        }
        return (changes, try await calls.services.identityPools.describePool(pool.id))
      }
      try output.json ? StandardOutput.print(shown.object()) : SettingChange.print(changes, of: pool.id)
    }
  }

  struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Delete a pool with its identities and their logins.")
    @OptionGroup var folder: DataOptions
    @OptionGroup var pool: PoolID

    func run() async throws {
      let input = pool.input
      try await folder.withCalls { calls in
        try await calls.call(DeleteIdentityPool.self, input)
        // A service may run beside it.
        let service = calls.services.identityPools
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
