internal import ArgumentParser
internal import CognitoUserPool
internal import TokenSecurityBase

/// Manages app clients of user pools.
struct UserPoolClientCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "client", abstract: "Manage app clients of user pools.",
    subcommands: [Create.self, List.self])

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
    @Option(help: ArgumentHelp("The pool's id.", valueName: "id"))
    var pool: String
    @Flag(help: "Give the client a secret (GenerateSecret).")
    var secret = false
    @Option(
      help: ArgumentHelp(
        "A way to sign in, for instance ALLOW_USER_PASSWORD_AUTH (ExplicitAuthFlows). Repeatable. (default: those of the API)",
        valueName: "flow"))
    var flow: [String] = []
    @Flag(help: "Answer calls for unknown users as those for others (PreventUserExistenceErrors ENABLED).")
    var hideUnknownUsers = false
    @OptionGroup var settings: CallSettings
    @OptionGroup var output: OutputOptions

    func run() async throws {
      var input = try settings.object(for: CreateUserPoolClient.self)
      input["UserPoolId"] = .string(pool)
      input["ClientName"] = .string(name)
      if secret { input["GenerateSecret"] = .bool(true) }
      if !flow.isEmpty { input["ExplicitAuthFlows"] = .array(flow.map { .string($0) }) }
      if hideUnknownUsers { input["PreventUserExistenceErrors"] = "ENABLED" }
      let members = input
      let answer = try await folder.withUserPools { try await $0.call("CreateUserPoolClient", members) }
      try answer.printMade("UserPoolClient", id: "ClientId", secret: "ClientSecret", output)
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List a pool's app clients: their ids and names.")
    @OptionGroup var folder: DataOptions
    @Option(help: ArgumentHelp("The pool's id.", valueName: "id"))
    var pool: String
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let members: JSONObject = ["UserPoolId": .string(pool)]
      let clients = try await folder.withUserPools {
        try await $0.list("ListUserPoolClients", "UserPoolClients", members)
      }
      guard !output.json else { return try StandardOutput.print(["UserPoolClients": .array(clients)]) }
      for client in clients.compactMap(\.object) {
        let (id, name) = (client["ClientId"]?.string ?? "", client["ClientName"]?.string ?? "")
        try StandardOutput.print("\(id)  \(name.visible(upTo: 128))\n")
      }
    }
  }
}
