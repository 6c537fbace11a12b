internal import ArgumentParser
internal import CognitoUserPool
internal import ServiceOperations
internal import TokenSecurityBase

/// Manages groups of user pools.
struct UserPoolGroupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "group", abstract: "Manage groups of user pools and their members.",
    subcommands: [
      Create.self, List.self, Show.self, Update.self, Delete.self, Add.self, Remove.self, Members.self,
    ])

  /// A group in the arguments, and its pool.
  struct GroupName: ParsableArguments {
    @Argument(help: ArgumentHelp("The group's name (GroupName).", valueName: "group")) var group: String
    @OptionGroup var pool: UserPoolOption

    var input: OptionInput {
      var input = pool.input
      input.set("GroupName", "<group>", text: group)
      return input
    }

    /// Prints a sentence about the group.
    func report(_ outcome: String) throws {
      try StandardOutput.print("\(group.visible(upTo: 128)) \(outcome)\n")
    }
  }

  /// The settings of groups, for `create` and `update`.
  struct GroupOptions: ParsableArguments {
    @Option(help: ArgumentHelp("What the group is for (Description).", valueName: "text"))
    var description: String?
    @Option(help: ArgumentHelp("The ARN of the group's role (RoleArn).", valueName: "arn"))
    var role: String?
    @Option(
      help: ArgumentHelp(
        "The rank among the groups of a user, 0 or more; the role of the lowest is preferred (Precedence).",
        valueName: "rank"))
    var precedence: Int64?

    /// Changes the settings of a group.
    func apply(to input: inout OptionInput) {
      input.set("Description", "--description", text: description)
      input.set("RoleArn", "--role", text: role)
      input.set("Precedence", "--precedence", precedence.map { .number(JSONNumber($0)) })
    }
  }

  struct Create: OperationCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a group and print its name.")
    static let operation: any ServiceOperation.Type = CreateGroup.self
    @OptionGroup var folder: DataOptions
    @OptionGroup var name: GroupName
    @OptionGroup var options: GroupOptions
    @OptionGroup var output: OutputOptions

    func input() -> OptionInput {
      var input = name.input
      options.apply(to: &input)
      return input
    }

    func report(_ answer: JSONObject) throws {
      try (answer["Group"]?.object ?? [:]).printMade(id: "GroupName", output)
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List a pool's groups: their names and descriptions.")
    @OptionGroup var folder: DataOptions
    @OptionGroup var pool: UserPoolOption
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let input = pool.input
      let groups = try await folder.withCalls { try await $0.list(ListGroups.self, "Groups", input) }
      try groups.printList("Groups", output) { group in
        [group["GroupName"], group["Description"]].compactMap { $0?.string?.visible(upTo: 256) }
          .joined(separator: "  ")
      }
    }
  }

  struct Show: OperationCommand {
    static let configuration = CommandConfiguration(abstract: "Show a group's settings.")
    static let operation: any ServiceOperation.Type = GetGroup.self
    @OptionGroup var folder: DataOptions
    @OptionGroup var name: GroupName
    @OptionGroup var output: OutputOptions

    func input() -> OptionInput { name.input }

    func report(_ answer: JSONObject) throws { try (answer["Group"]?.object ?? [:]).printShown(output) }
  }

  struct Update: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Change settings of a group and print each change. Other settings stay.")
    @OptionGroup var folder: DataOptions
    @OptionGroup var name: GroupName
    @OptionGroup var options: GroupOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let id = name.input
      let (old, new) = try await folder.withCalls { calls in
        let old = try await calls.call(GetGroup.self, id)["Group"]?.object ?? [:]
        var input = id
        for member in old.members(of: UpdateGroup.self).members { input.members[member.name] = member.value }
        options.apply(to: &input)
        let answer = try await calls.call(UpdateGroup.self, input)
        return (old, answer["Group"]?.object ?? [:])
      }
      guard !output.json else { return try StandardOutput.print(new) }
      try SettingChange.print(
        old.members(of: UpdateGroup.self).changes(to: new.members(of: UpdateGroup.self)), of: name.group)
    }
  }

  struct Delete: OperationCommand {
    static let configuration = CommandConfiguration(abstract: "Delete a group. Its members stay users.")
    static let operation: any ServiceOperation.Type = DeleteGroup.self
    @OptionGroup var folder: DataOptions
    @OptionGroup var name: GroupName

    func input() -> OptionInput { name.input }

    func report(_ answer: JSONObject) throws { try name.report("is deleted") }
  }

  /// A group and a user in the arguments.
  struct Membership: ParsableArguments {
    @OptionGroup var name: GroupName
    @Argument(help: ArgumentHelp("The user's name.", valueName: "user")) var user: String

    var input: OptionInput {
      var input = name.input
      input.set("Username", "<user>", text: user)
      return input
    }

    /// Prints a sentence about the user.
    func report(_ outcome: String) throws {
      try StandardOutput.print("\(user.visible(upTo: 128)) \(outcome) \(name.group.visible(upTo: 128))\n")
    }
  }

  struct Add: OperationCommand {
    static let configuration = CommandConfiguration(abstract: "Add a user to a group.")
    static let operation: any ServiceOperation.Type = AdminAddUserToGroup.self
    @OptionGroup var folder: DataOptions
    @OptionGroup var membership: Membership

    func input() -> OptionInput { membership.input }

    func report(_ answer: JSONObject) throws { try membership.report("is in") }
  }

  struct Remove: OperationCommand {
    static let configuration = CommandConfiguration(abstract: "Remove a user from a group.")
    static let operation: any ServiceOperation.Type = AdminRemoveUserFromGroup.self
    @OptionGroup var folder: DataOptions
    @OptionGroup var membership: Membership

    func input() -> OptionInput { membership.input }

    func report(_ answer: JSONObject) throws { try membership.report("is not in") }
  }

  struct Members: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the users of a group.")
    @OptionGroup var folder: DataOptions
    @OptionGroup var name: GroupName
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let input = name.input
      let users = try await folder.withCalls { try await $0.list(ListUsersInGroup.self, "Users", input) }
      try users.printList("Users", output, UserPoolUserCommand.line)
    }
  }
}
