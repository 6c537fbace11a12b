internal import ArgumentParser
internal import CognitoUserPool
internal import ServiceOperations
internal import TokenSecurityBase

/// Manages users of user pools.
struct UserPoolUserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "user", abstract: "Manage users of user pools.",
    subcommands: [
      UserCreateCommand.self, List.self, Show.self, Update.self, SetPassword.self, SetMFA.self, Confirm.self,
      Enable.self, Disable.self, SignOut.self, ResetPassword.self, Delete.self, UserImportCommand.self,
      UserHeaderCommand.self,
    ])

  /// A user in a line of a list: the name, the status, and an address.
  static func line(_ user: JSONObject) -> String {
    let attributes = (user["Attributes"]?.array ?? []).compactMap(\.object)
    let address = ["email", "phone_number"].lazy.compactMap { name in
      attributes.first { $0["Name"]?.string?.isIdentical(to: name) == true }?["Value"]?.string
    }.first
    return [
      user["Username"]?.string, user["UserStatus"]?.string,
      user["Enabled"]?.bool == false ? "disabled" : nil, address,
    ].compactMap { $0?.visible(upTo: 256) }.joined(separator: "  ")
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List users: their names, statuses and addresses.",
      discussion: """
        EXAMPLES:
          Users whose e-mail address begins with jane:

            identity-service user-pool user list --data /var/lib/identity \\
              --pool "$users" --filter 'email ^= "jane"'
        """)
    @OptionGroup var folder: DataOptions
    @OptionGroup var pool: UserPoolOption
    @Option(
      help: ArgumentHelp(
        "What an attribute is, or begins with, as in ListUsers: email = \"jane@example.com\".",
        valueName: "filter"))
    var filter: String?
    @Option(help: ArgumentHelp("The users of a group.", valueName: "group")) var group: String?
    @OptionGroup var output: OutputOptions

    func validate() throws {
      guard filter == nil || group == nil else {
        throw ValidationError("--filter and --group exclude each other")
      }
    }

    func run() async throws {
      var input = pool.input
      input.set("Filter", "--filter", text: filter)
      input.set("GroupName", "--group", text: group)
      let operation: any ServiceOperation.Type = group == nil ? ListUsers.self : ListUsersInGroup.self
      let users = try await folder.withCalls { [input] in try await $0.list(operation, "Users", input) }
      try users.printList("Users", output, UserPoolUserCommand.line)
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show a user: status, attributes, second factors and groups.")
    @OptionGroup var folder: DataOptions
    @OptionGroup var user: UserName
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let input = user.input
      let shown = try await folder.withCalls { calls in
        var shown = try await calls.call(AdminGetUser.self, input)
        let groups = try await calls.list(AdminListGroupsForUser.self, "Groups", input)
        shown["Groups"] = .array(groups.compactMap { $0.object?["GroupName"] })
        return shown
      }
      guard !output.json else { return try StandardOutput.print(shown) }
      var rows = shown
      rows["UserAttributes"] = nil
      for attribute in (shown["UserAttributes"]?.array ?? []).compactMap(\.object) {
        if let name = attribute["Name"]?.string { rows[name] = attribute["Value"] }
      }
      try rows.printRows()
    }
  }

  struct Update: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Set and remove attributes of a user. Others stay.",
      discussion: "Functions of the pool (LambdaConfig) are not called.")
    @OptionGroup var folder: DataOptions
    @OptionGroup var user: UserName
    @Option(help: ArgumentHelp("An attribute to set. Repeatable.", valueName: "name=value"))
    var attribute: [String] = []
    @Option(help: ArgumentHelp("The name of an attribute to remove. Repeatable.", valueName: "name"))
    var removeAttribute: [String] = []

    func validate() throws {
      guard !attribute.isEmpty || !removeAttribute.isEmpty else {
        throw ValidationError("--attribute or --remove-attribute is needed")
      }
    }

    func run() async throws {
      let values = try NamedValues.pairs(attribute, "--attribute")
      var (changed, removed) = (user.input, user.input)
      changed.members["UserAttributes"] = .array(values.map { .attribute($0.key, $0.value) })
      changed.note("UserAttributes", "--attribute", attribute.joined(separator: ", "))
      removed.set("UserAttributeNames", "--remove-attribute", texts: removeAttribute)
      try await folder.withCalls { [changed, removed] calls in
        if !attribute.isEmpty { try await calls.call(AdminUpdateUserAttributes.self, changed) }
        if !removeAttribute.isEmpty { try await calls.call(AdminDeleteUserAttributes.self, removed) }
      }
      try user.report("is changed")
    }
  }

  struct SetPassword: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set-password", abstract: "Set a user's password.",
      discussion: """
        It ends the wait after wrong passwords, and withdraws an invitation that \
        is still unsent. With --generate-password, the output is the password.
        """)
    @OptionGroup var folder: DataOptions
    @OptionGroup var user: UserName
    @OptionGroup var password: PasswordOptions

    func run() async throws {
      let given = try password.read(for: user.name)
      try await folder.withCalls { calls in
        let text = try await given.orMade(in: user.pool.pool, calls)
        var input = user.input
        password.set(text, in: &input)
        input.members["Permanent"] = .bool(!password.temporary)
        try await calls.call(AdminSetUserPassword.self, input)
        guard !password.generatePassword else { return try StandardOutput.print("\(text)\n") }
        try user.report(password.temporary ? "has a temporary password" : "has a new password")
      }
    }
  }

  struct SetMFA: OperationCommand {
    static let configuration = CommandConfiguration(
      commandName: "set-mfa",
      abstract: "Enable and disable a user's second factors. Enabling one opens it after wrong codes.",
      discussion: """
        A factor is closed after 100 wrong codes in a row. Find out who was there \
        before you open it, and set a new password first.
        """)
    static let operation: any ServiceOperation.Type = AdminSetUserMFAPreference.self
    @OptionGroup var folder: DataOptions
    @OptionGroup var user: UserName
    @Option(
      help: ArgumentHelp("A factor to enable. Repeatable. \(FactorChoice.values)", valueName: "factor"),
      completion: FactorChoice.completion, transform: { try FactorChoice.named($0) })
    var enable: [FactorChoice] = []
    @Option(
      help: ArgumentHelp("A factor to disable. Repeatable. \(FactorChoice.values)", valueName: "factor"),
      completion: FactorChoice.completion, transform: { try FactorChoice.named($0) })
    var disable: [FactorChoice] = []
    @Option(
      help: ArgumentHelp(
        "The factor that sign-ins ask for first; it is enabled. \(FactorChoice.values)", valueName: "factor"),
      completion: FactorChoice.completion, transform: { try FactorChoice.named($0) })
    var prefer: FactorChoice?

    func validate() throws {
      guard !enable.isEmpty || !disable.isEmpty || prefer != nil else {
        throw ValidationError("--enable, --disable or --prefer is needed")
      }
      for factor in disable where enable.contains(factor) || prefer == factor {
        throw ValidationError("--disable \(factor.optionName) excludes enabling it")
      }
    }

    func input() -> OptionInput {
      var input = user.input
      for factor in FactorChoice.allCases {
        if disable.contains(factor) {
          input.set(factor.userMember, "--disable", ["Enabled": false, "PreferredMfa": false])
        } else if prefer == factor {
          input.set(factor.userMember, "--prefer", ["Enabled": true, "PreferredMfa": true])
        } else if enable.contains(factor) {
          input.set(factor.userMember, "--enable", ["Enabled": true])
        }
      }
      return input
    }

    func report(_ answer: JSONObject) throws {
      let states = FactorChoice.allCases.compactMap { factor in
        disable.contains(factor)
          ? "\(factor.optionName) disabled"
          : prefer == factor
            ? "\(factor.optionName) preferred"
            : enable.contains(factor) ? "\(factor.optionName) enabled" : nil
      }
      try user.report("has \(states.joined(separator: ", "))")
    }
  }
}
