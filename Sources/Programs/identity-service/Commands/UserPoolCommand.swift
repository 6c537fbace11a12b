internal import ArgumentParser
internal import CognitoUserPool
internal import TokenSecurityBase

/// Manages user pools without an AWS SDK.
struct UserPoolCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "user-pool", abstract: "Manage user pools. A running service applies changes at once.",
    subcommands: [
      Create.self, List.self, Show.self, IneffectiveSettings.self, UserPoolClientCommand.self,
      UserPoolUserCommand.self, UserPoolKeyCommand.self,
    ])

  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a user pool and print its id.",
      discussion: """
        EXAMPLES:
          A pool whose users sign in with an e-mail address, which a code verifies:

            identity-service user-pool create app --data /var/lib/identity \\
              --sign-in-with email --auto-verify email
        """)
    @OptionGroup var folder: DataOptions
    @Argument(help: ArgumentHelp("The pool's name (PoolName).", valueName: "name"))
    var name: String
    @Option(
      help: ArgumentHelp(
        "Attribute that users sign in with, in place of a user name: email, phone_number (UsernameAttributes). Repeatable.",
        valueName: "attribute"))
    var signInWith: [String] = []
    @Option(
      help: ArgumentHelp(
        "What users may also sign in with: email, phone_number, preferred_username (AliasAttributes). Repeatable.",
        valueName: "attribute"))
    var alias: [String] = []
    @Option(
      help: ArgumentHelp(
        "What a code verifies at sign-up: email, phone_number (AutoVerifiedAttributes). Repeatable.",
        valueName: "attribute"))
    var autoVerify: [String] = []
    @OptionGroup var settings: CallSettings
    @OptionGroup var output: OutputOptions

    func run() async throws {
      var input = try settings.object(for: CreateUserPool.self)
      input["PoolName"] = .string(name)
      for (member, values) in [
        ("UsernameAttributes", signInWith), ("AliasAttributes", alias),
        ("AutoVerifiedAttributes", autoVerify),
      ] where !values.isEmpty {
        input[member] = .array(values.map { .string($0) })
      }
      let members = input
      let answer = try await folder.withUserPools { try await $0.call("CreateUserPool", members) }
      try answer.printMade("UserPool", id: "Id", output)
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List user pools: their ids and names.")
    @OptionGroup var folder: DataOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let pools = try await folder.withUserPools { try await $0.list("ListUserPools", "UserPools") }
      guard !output.json else { return try StandardOutput.print(["UserPools": .array(pools)]) }
      for pool in pools.compactMap(\.object) {
        let (id, name) = (pool["Id"]?.string ?? "", pool["Name"]?.string ?? "")
        try StandardOutput.print("\(id)  \(name.visible(upTo: 128))\n")
      }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show a user pool's settings.")
    @OptionGroup var folder: DataOptions
    @Argument(help: ArgumentHelp("The pool's id.", valueName: "id")) var id: String
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let members: JSONObject = ["UserPoolId": .string(id)]
      let answer = try await folder.withUserPools { try await $0.call("DescribeUserPool", members) }
      let pool = answer["UserPool"]?.object ?? JSONObject()
      guard !output.json else { return try StandardOutput.print(pool) }
      for member in pool.members {
        let value =
          member.value.string?.visible(upTo: 2_048)
          ?? String(decoding: JSONWriter.write(member.value), as: UTF8.self)
        let space = String(repeating: " ", count: max(1, 32 - member.name.utf8.count))
        try StandardOutput.print("\(member.name)\(space)\(value)\n")
      }
    }
  }

  struct IneffectiveSettings: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "ineffective-settings",
      abstract: "List the settings of pools and clients that are stored and change nothing.")
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let settings = IneffectiveSetting.all
      guard !output.json else {
        let values = settings.map { setting -> JSONValue in
          [
            "of": .string(setting.owner.rawValue.text), "setting": .string(setting.name),
            "instead": .string(setting.instead),
          ]
        }
        return try StandardOutput.print(["settings": .array(values)])
      }
      for setting in settings {
        try StandardOutput.print("\(setting.owner.rawValue.text)  \(setting.name)  \(setting.instead)\n")
      }
    }
  }
}
