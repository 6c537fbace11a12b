internal import ArgumentParser
internal import CognitoUserPool
internal import ServiceOperations
internal import TokenSecurityBase

/// Manages app clients of user pools.
struct UserPoolClientCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "client", abstract: "Manage app clients of user pools.",
    subcommands: [Create.self, List.self, Show.self, Update.self, Delete.self])

  /// The settings of clients that have options, for `create` and `update`.
  struct ClientOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "A way to sign in, in place of the present ones (ExplicitAuthFlows). Repeatable. \(AuthFlow.values) (default: those of the API)",
        valueName: "flow"), completion: AuthFlow.completion, transform: { try AuthFlow.named($0) })
    var flow: [AuthFlow] = []
    @Flag(
      inversion: .prefixedNo,
      help: "Answer calls for unknown users as those for others (PreventUserExistenceErrors ENABLED).")
    var hideUnknownUsers: Bool?

    /// Changes the settings of a client.
    func apply(to input: inout OptionInput) {
      input.set("ExplicitAuthFlows", "--flow", texts: flow.map(\.optionName))
      input.set(
        "PreventUserExistenceErrors", "--hide-unknown-users",
        hideUnknownUsers.map { $0 ? "ENABLED" : "LEGACY" })
    }
  }

  /// A client in the arguments, and its pool.
  struct ClientID: ParsableArguments {
    @Argument(help: ArgumentHelp("The client's id.", valueName: "id")) var id: String
    @OptionGroup var pool: UserPoolOption

    var input: OptionInput {
      var input = pool.input
      input.set("ClientId", "<id>", text: id)
      return input
    }
  }

  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make an app client and print its id.",
      discussion: """
        EXAMPLES:
          A client for a web page, and one for a backend:

            identity-service user-pool client create web --data /var/lib/identity \\
              --pool "$users" --hide-unknown-users
            identity-service user-pool client create api --data /var/lib/identity \\
              --pool "$users" --secret --flow ALLOW_ADMIN_USER_PASSWORD_AUTH

        With --secret, the output is the id, a space and the secret.
        """)
    @OptionGroup var folder: DataOptions
    @Argument(help: ArgumentHelp("The client's name (ClientName).", valueName: "name"))
    var name: String
    @OptionGroup var pool: UserPoolOption
    @Flag(help: "Give the client a secret (GenerateSecret).")
    var secret = false
    @OptionGroup var options: ClientOptions
    @OptionGroup var settings: CallSettings
    @OptionGroup var output: OutputOptions

    func run() async throws {
      var input = OptionInput(
        try settings.object(for: CreateUserPoolClient.self), file: settings.settings)
      input.set("UserPoolId", "--pool", text: pool.pool)
      input.set("ClientName", "<name>", text: name)
      if secret { input.members["GenerateSecret"] = true }
      options.apply(to: &input)
      let answer = try await folder.withCalls { [input] in
        try await $0.call(CreateUserPoolClient.self, input)
      }
      try (answer["UserPoolClient"]?.object ?? [:]).printMade(id: "ClientId", secret: "ClientSecret", output)
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List a pool's app clients: their ids and names.")
    @OptionGroup var folder: DataOptions
    @OptionGroup var pool: UserPoolOption
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let input = pool.input
      let clients = try await folder.withCalls {
        try await $0.list(ListUserPoolClients.self, "UserPoolClients", input)
      }
      try clients.printList("UserPoolClients", output) { client in
        "\(client["ClientId"]?.string ?? "")  \((client["ClientName"]?.string ?? "").visible(upTo: 128))"
      }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show an app client's settings.")
    @OptionGroup var folder: DataOptions
    @OptionGroup var client: ClientID
    @Flag(help: "Show the client's secret, too.") var secret = false
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let input = client.input
      var shown = try await folder.withCalls { try await UserPoolClientCommand.describe(input, $0) }
      if !secret { shown["ClientSecret"] = nil }
      try shown.printShown(output)
    }
  }

  struct Update: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Change settings of an app client and print each change. Other settings stay.",
      discussion: """
        The members of --settings are merged into the client's settings, nested \
        ones too; null removes a setting.
        """)
    @OptionGroup var folder: DataOptions
    @OptionGroup var client: ClientID
    @Option(help: ArgumentHelp("A new name (ClientName).", valueName: "name")) var name: String?
    @OptionGroup var options: ClientOptions
    @OptionGroup var settings: CallSettings
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let patch = try settings.object(for: UpdateUserPoolClient.self)
      let id = client.input
      let (changes, shown) = try await folder.withCalls { calls in
        let changes = try await SettledChange.make { try await change(by: patch, id, calls) }
        return (changes, try await UserPoolClientCommand.describe(id, calls))
      }
      guard !output.json else {
        var shown = shown
        shown["ClientSecret"] = nil
        return try StandardOutput.print(shown)
      }
      try SettingChange.print(changes, of: client.id)
    }

    /// Reads the settings, changes them and stores them, unless others have changed them meanwhile.
    private func change(
      by patch: JSONObject, _ id: OptionInput, _ calls: OperatorCalls
    ) async throws -> [SettingChange] {
      let clients = calls.services.userPools.clients
      let name = try OperatorCalls.request(
        DescribeUserPoolClient.Input.self, id.members, else: UserPoolError.request)
      // The row first: a change after it is noticed when the settings are stored.
      let row = try await id.explaining { try await clients.describeClient(name, at: .now) }
      let old = try await UserPoolClientCommand.describe(id, calls).members(of: UpdateUserPoolClient.self)
      var input = OptionInput(old, file: settings.settings)
      input.members.merge(patch)
      input.set("ClientName", "--name", text: self.name)
      options.apply(to: &input)
      for member in id.members.members { input.members[member.name] = member.value }
      let wanted = old.changes(to: input.members)
      guard !wanted.isEmpty else { return [] }
      let context = CallContext()
      let settings = input
      try await input.explaining {
        _ = try await clients.updateClient(
          OperatorCalls.request(
            UpdateUserPoolClient.Input.self, settings.members, else: UserPoolError.request), over: row,
          context)
      }
      OperatorCalls.report(context.subject)
      let new = try await UserPoolClientCommand.describe(id, calls).members(of: UpdateUserPoolClient.self)
      return SettingChange.made(wanted, old, new)
    }
  }

  struct Delete: OperationCommand {
    static let configuration = CommandConfiguration(
      abstract: "Delete an app client. Its sign-ins end with it.")
    static let operation: any ServiceOperation.Type = DeleteUserPoolClient.self
    @OptionGroup var folder: DataOptions
    @OptionGroup var client: ClientID

    func input() -> OptionInput { client.input }

    func report(_ answer: JSONObject) throws {
      try StandardOutput.print("\(client.id.visible(upTo: 128)) is deleted\n")
    }
  }

  private static func describe(_ id: OptionInput, _ calls: OperatorCalls) async throws -> JSONObject {
    try await calls.call(DescribeUserPoolClient.self, id)["UserPoolClient"]?.object ?? JSONObject()
  }
}
