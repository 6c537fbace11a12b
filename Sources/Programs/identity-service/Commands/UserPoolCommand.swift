internal import ArgumentParser
internal import CognitoUserPool
internal import Records
internal import ServiceOperations
internal import TokenSecurityBase

/// Manages user pools without an AWS SDK.
struct UserPoolCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "user-pool", abstract: "Manage user pools. A running service applies changes at once.",
    subcommands: [
      Create.self, List.self, Show.self, Update.self, Delete.self, IneffectiveSettings.self,
      UserPoolClientCommand.self, UserPoolUserCommand.self, UserPoolGroupCommand.self,
      UserPoolKeyCommand.self,
    ])

  /// A pool in the arguments.
  struct PoolID: ParsableArguments {
    @Argument(help: ArgumentHelp("The pool's id.", valueName: "id")) var id: String

    var input: OptionInput {
      var input = OptionInput()
      input.set("UserPoolId", "<id>", text: id)
      return input
    }
  }

  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a user pool and print its id.",
      discussion: """
        EXAMPLES:
          A pool whose users sign in with an e-mail address, which a code \
        verifies, and may use an authenticator app:

            identity-service user-pool create app --data /var/lib/identity \\
              --sign-in-with email --auto-verify email --mfa optional
        """)
    @OptionGroup var folder: DataOptions
    @Argument(help: ArgumentHelp("The pool's name (PoolName).", valueName: "name"))
    var name: String
    @Option(
      help: ArgumentHelp(
        "Attribute that users sign in with, in place of a user name (UsernameAttributes). Repeatable. \(UsernameAttributeType.values)",
        valueName: "attribute"),
      completion: UsernameAttributeType.completion, transform: { try UsernameAttributeType.named($0) })
    var signInWith: [UsernameAttributeType] = []
    @Option(
      help: ArgumentHelp(
        "What users may also sign in with (AliasAttributes). Repeatable. \(AliasAttributeType.values)",
        valueName: "attribute"),
      completion: AliasAttributeType.completion, transform: { try AliasAttributeType.named($0) })
    var alias: [AliasAttributeType] = []
    @OptionGroup var options: UserPoolOptions
    @OptionGroup var settings: CallSettings
    @OptionGroup var output: OutputOptions

    func run() async throws {
      var input = OptionInput(
        try settings.object(for: CreateUserPool.self, SetUserPoolMfaConfig.self), file: settings.settings)
      input.set("PoolName", "<name>", text: name)
      input.set("UsernameAttributes", "--sign-in-with", texts: signInWith.map(\.optionName))
      input.set("AliasAttributes", "--alias", texts: alias.map(\.optionName))
      let hasRules = input.members.value(at: ["Policies", "PasswordPolicy"]) != nil
      try options.apply(to: &input)
      if options.passwordLength != nil, !hasRules {
        // A new length alone would switch the other rules of the default off.
        for rule in ["Uppercase", "Lowercase", "Numbers", "Symbols"] {
          input.members.set(["Policies", "PasswordPolicy", "Require\(rule)"][...], to: true)
        }
      }
      let pool = try await folder.withCalls { [input] in try await Self.make(input, $0) }
      try pool.printMade(id: "Id", output)
    }

    /// Makes a pool. One whose factors are refused is removed again.
    private static func make(_ input: OptionInput, _ calls: OperatorCalls) async throws -> JSONObject {
      let hasFactors = FactorChoice.allCases.contains { input.members[$0.poolMember] != nil }
      var settings = input
      settings.members = input.members.members(of: CreateUserPool.self)
      if hasFactors {
        settings.members["MfaConfiguration"] = nil
        // A protected pool could not be removed again.
        settings.members["DeletionProtection"] = nil
      }
      let made = try await calls.call(CreateUserPool.self, settings)["UserPool"]?.object ?? JSONObject()
      guard hasFactors else { return made }
      var id = OptionInput()
      id.members["UserPoolId"] = made["Id"]
      do {
        try await UserPoolSettingsState.setFactors(input, id, calls)
        if let protection = input.members["DeletionProtection"] {
          let old = try await UserPoolSettingsState.read(id, calls)
          var new = OptionInput(old.settings)
          new.members["DeletionProtection"] = protection
          _ = try await UserPoolSettingsState.write(new, over: old, id, calls)
        }
        return try await calls.call(DescribeUserPool.self, id)["UserPool"]?.object ?? made
      } catch {
        _ = try? await calls.call(DeleteUserPool.self, id)
        throw error
      }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List user pools: their ids and names.")
    @OptionGroup var folder: DataOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let pools = try await folder.withCalls { try await $0.list(ListUserPools.self, "UserPools") }
      try pools.printList("UserPools", output) { pool in
        "\(pool["Id"]?.string ?? "")  \((pool["Name"]?.string ?? "").visible(upTo: 128))"
      }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show a user pool's settings.")
    @OptionGroup var folder: DataOptions
    @OptionGroup var pool: PoolID
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let input = pool.input
      let answer = try await folder.withCalls { try await $0.call(DescribeUserPool.self, input) }
      try (answer["UserPool"]?.object ?? JSONObject()).printShown(output)
    }
  }

  struct Update: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Change settings of a user pool and print each change. Other settings stay.",
      discussion: """
        The members of --settings are merged into the pool's settings, nested ones \
        too; null removes a setting.

        EXAMPLES:
          Let users set up an authenticator app:

            identity-service user-pool update "$users" --data /var/lib/identity \\
              --mfa optional --factor totp
        """)
    @OptionGroup var folder: DataOptions
    @OptionGroup var pool: PoolID
    @Option(help: ArgumentHelp("A new name (PoolName).", valueName: "name")) var name: String?
    @OptionGroup var options: UserPoolOptions
    @Option(help: ArgumentHelp("The key of a tag to remove. Repeatable.", valueName: "key"))
    var untag: [String] = []
    @OptionGroup var settings: CallSettings
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let patch = try settings.object(for: UpdateUserPool.self, SetUserPoolMfaConfig.self)
      let id = pool.input
      let (changes, shown) = try await folder.withCalls { calls in
        let changes = try await SettledChange.make {
          let old = try await UserPoolSettingsState.read(id, calls)
          var new = OptionInput(old.settings, file: settings.settings)
          UserPoolSettingsState.merge(patch, into: &new.members)
          new.set("PoolName", "--name", text: name)
          try options.apply(to: &new)
          for key in untag { new.members.remove(["UserPoolTags", key]) }
          return try await UserPoolSettingsState.write(new, over: old, id, calls)
        }
        return (changes, try await calls.call(DescribeUserPool.self, id)["UserPool"]?.object)
      }
      try output.json ? StandardOutput.print(shown ?? [:]) : SettingChange.print(changes, of: pool.id)
    }
  }

  struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Delete a user pool with its users, groups and clients.")
    @OptionGroup var folder: DataOptions
    @OptionGroup var pool: PoolID

    func run() async throws {
      let input = pool.input
      try await folder.withCalls { calls in
        try await calls.call(DeleteUserPool.self, input)
        // A service may run beside it.
        let maintenance = calls.services.userPools.maintenance
        try await PacedRemoval().run { () throws(UserPoolError) in try await maintenance.continueRemovals() }
      }
      try StandardOutput.print("\(pool.id.visible(upTo: 64)) is deleted\n")
    }
  }

  struct IneffectiveSettings: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "ineffective-settings",
      abstract: "List the settings of pools and clients that are stored and change nothing.")
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let settings = IneffectiveSetting.all.map { setting -> JSONValue in
        [
          "of": .string(setting.owner.rawValue.text), "setting": .string(setting.name),
          "instead": .string(setting.instead),
        ]
      }
      try settings.printList("settings", output) { setting in
        ["of", "setting", "instead"].compactMap { setting[$0]?.string }.joined(separator: "  ")
      }
    }
  }
}
