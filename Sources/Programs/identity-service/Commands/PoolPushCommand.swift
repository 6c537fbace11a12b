internal import ArgumentParser
internal import CognitoIdentity
internal import ServiceOperations
internal import TokenSecurityBase

/// Sets where push messages of an identity pool's data sets are sent.
struct PoolPushCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-push", abstract: "Set where push messages of a pool's data sets are sent.",
    discussion: """
      The role's trust policy must admit cognito-sync.amazonaws.com for this pool. \
      serve --push says how messages are sent.
      """)
  @OptionGroup var folder: DataOptions
  @OptionGroup var pool: PoolCommand.PoolID
  @Option(
    help: ArgumentHelp(
      "The ARN of a platform application of Amazon SNS (ApplicationArns). Repeatable.", valueName: "arn"))
  var application: [String] = []
  @Option(help: ArgumentHelp("The role that may publish (RoleArn), which `role put` adds.", valueName: "arn"))
  var role: String?
  @Flag(help: "Send no messages, and register no devices.") var off = false

  func validate() throws {
    guard off == (application.isEmpty && role == nil), off || !application.isEmpty && role != nil else {
      throw ValidationError("--application and --role are needed, or --off alone")
    }
  }

  func run() async throws {
    let id = pool.input
    var input = id
    input.set("PushSync.ApplicationArns", "--application", texts: application)
    input.set("PushSync.RoleArn", "--role", text: role)
    try await folder.withCalls { [input] calls in
      try await calls.call(DescribeIdentityPool.self, id)
      try await calls.call(SetIdentityPoolConfiguration.self, input)
    }
    let count = "\(application.count) application\(application.count == 1 ? "" : "s")"
    try StandardOutput.print(
      off
        ? "\(pool.id.visible(upTo: 64)) sends no push messages\n"
        : "\(pool.id.visible(upTo: 64)) sends push messages to \(count)\n")
  }
}

/// Issues a token for a user of the developer's own, as a backend does. For tests.
struct PoolTokenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token",
    abstract: "Issue a token for a user of your own, as a backend does; print the identity and it.",
    discussion: """
      EXAMPLES:
        A token for the user jane:

          pool=$(identity-service pool create app --data /var/lib/identity \\
            --developer-provider login.my.app)
          identity-service pool token "$pool" --data /var/lib/identity \\
            --login login.my.app=jane

      The output is the identity's id, a space and the token.
      """)
  @OptionGroup var folder: DataOptions
  @OptionGroup var pool: PoolCommand.PoolID
  @Option(
    help: ArgumentHelp(
      "The name of your own service in the pool, and the user (Logins).", valueName: "provider=user"))
  var login: String
  @Option(help: ArgumentHelp("An identity that gets the login (IdentityId).", valueName: "id"))
  var identity: String?
  @Option(
    help: ArgumentHelp(
      "The seconds for which the token is valid, 1 to 86400 (TokenDuration). (default: 900)",
      valueName: "seconds"))
  var lifetime: Int64?
  @OptionGroup var output: OutputOptions

  func run() async throws {
    var input = pool.input
    for (provider, user) in try NamedValues.pairs([login], "--login") {
      input.members.set(["Logins", provider], to: .string(user))
      input.note("Logins", "--login", login)
    }
    input.set("IdentityId", "--identity", text: identity)
    input.set("TokenDuration", "--lifetime", lifetime.map { .number(JSONNumber($0)) })
    let answer = try await folder.withCalls { [input] calls in
      try await calls.services.identityPools.keys.update()
      return try await calls.call(GetOpenIDTokenForDeveloperIdentity.self, input)
    }
    try answer.printMade(id: "IdentityId", secret: "Token", output)
  }
}
