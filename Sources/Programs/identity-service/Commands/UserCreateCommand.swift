internal import ArgumentParser
internal import CognitoUserPool
internal import ServiceOperations
internal import TokenSecurityBase

/// Makes a user of a pool.
struct UserCreateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Make a user and print the user name.",
    discussion: """
      The user has a password and can sign in, or gets an invitation with a \
      temporary password (--message). The invitation waits in the data; a running \
      service sends it. In a pool whose users sign in with codes neither is \
      needed. Addresses of --email and --phone, and names that are addresses, count \
      as verified without --unverified. \
      Functions of the pool (LambdaConfig) are not called.

      EXAMPLES:
        A user with a password of your own, and one who gets a temporary one:

          printf 'Correct-horse-9' |
            identity-service user-pool user create jane --pool "$users" \\
              --email jane@example.com --password-file - --data /var/lib/identity
          identity-service user-pool user create joe --pool "$users" \\
            --generate-password --temporary --data /var/lib/identity

      With --generate-password, the output is the name, a space and the password.
      """)
  @OptionGroup var folder: DataOptions
  @OptionGroup var user: UserName
  @Option(help: ArgumentHelp("The e-mail address (email).", valueName: "address")) var email: String?
  @Option(
    help: ArgumentHelp("The phone number (phone_number), for instance +4930123456.", valueName: "number"))
  var phone: String?
  @Option(help: ArgumentHelp("An attribute. Repeatable.", valueName: "name=value"))
  var attribute: [String] = []
  @Flag(help: "The addresses are not verified.") var unverified = false
  @OptionGroup var password: PasswordOptions
  @Option(
    help: ArgumentHelp("Send an invitation. \(MediumChoice.values)", valueName: "medium"),
    completion: MediumChoice.completion, transform: { try MediumChoice.named($0) })
  var message: MediumChoice?
  @Option(help: ArgumentHelp("A group that the user is in. Repeatable.", valueName: "group"))
  var group: [String] = []
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard message == nil || !password.generatePassword else {
      throw ValidationError("--message and --generate-password exclude each other: a message has a password")
    }
  }

  func run() async throws {
    let attributes = try NamedValues.pairs(attribute, "--attribute")
    try await folder.withCalls { calls in
      let pool = try await calls.call(DescribeUserPool.self, user.pool.input)["UserPool"]?.object ?? [:]
      // --temporary is of a password.
      let mayLackPassword = message != nil || Self.allowsCodes(pool) && !password.temporary
      let needsPassword = password.isGiven || !mayLackPassword
      let given = needsPassword ? try password.read(for: user.name, hasMessage: true) : nil
      for name in group { try await calls.call(GetGroup.self, input(group: name)) }
      let text = needsPassword ? try await given.orMade(in: user.pool.pool, calls) : nil
      let input = input(attributes, in: pool, text)
      let made = try await calls.call(AdminCreateUser.self, input)["User"]?.object ?? [:]
      do {
        try await complete(made, text, calls)
      } catch {
        var named = user.pool.input
        named.members["Username"] = made["Username"]
        _ = try? await calls.call(AdminDeleteUser.self, named)
        throw error
      }
    }
  }

  /// True for a pool whose users can sign in with codes in place of a password.
  private static func allowsCodes(_ pool: JSONObject) -> Bool {
    let factors = pool.value(at: ["Policies", "SignInPolicy", "AllowedFirstAuthFactors"])?.strings ?? []
    return factors.contains { $0.isIdentical(to: "EMAIL_OTP") || $0.isIdentical(to: "SMS_OTP") }
  }

  /// The input of `AdminCreateUser`.
  private func input(
    _ attributes: [(key: String, value: String)], in pool: JSONObject, _ text: String?
  ) -> OptionInput {
    var input = user.input
    var given: [(name: String, value: String, option: String)] = []
    if let email { given.append(("email", email, "--email")) }
    if let phone { given.append(("phone_number", phone, "--phone")) }
    // In such a pool the address is the name.
    let names = Set((pool["UsernameAttributes"]?.strings ?? []).map { ExactString($0) })
    if email == nil, names.contains("email"), user.name.utf8.contains(UInt8(ascii: "@")) {
      given.append(("email", user.name, "<name>"))
    }
    if phone == nil, names.contains("phone_number"), user.name.utf8.first == UInt8(ascii: "+") {
      given.append(("phone_number", user.name, "<name>"))
    }
    var values = given.map { JSONValue.attribute($0.name, $0.value) }
    if !unverified { values += given.map { .attribute("\($0.name)_verified", "true") } }
    for (key, value) in attributes { values.append(.attribute(key, value)) }
    if !values.isEmpty { input.members["UserAttributes"] = .array(values) }
    if !attribute.isEmpty { input.note("UserAttributes", "--attribute", attribute.joined(separator: ", ")) }
    for (index, one) in given.enumerated() {
      for path in ["UserAttributes.\(index + 1).member", "UserAttributes.\(one.name)"] {
        input.note(path, one.option, one.value)
      }
    }
    if let message {
      input.members["DesiredDeliveryMediums"] = .array([.string(message.member)])
      input.note("DesiredDeliveryMediums", "--message", message.optionName)
    } else {
      input.members["MessageAction"] = "SUPPRESS"
    }
    if isTemporary, let text { password.set(text, in: &input, as: "TemporaryPassword") }
    return input
  }

  /// An invitation has a temporary password.
  private var isTemporary: Bool { password.temporary || message != nil }

  private func input(group: String) -> OptionInput {
    var input = user.pool.input
    input.set("GroupName", "--group", text: group)
    return input
  }

  /// Gives the user who was made a password and groups, and prints the name.
  private func complete(_ made: JSONObject, _ text: String?, _ calls: OperatorCalls) async throws {
    if !isTemporary, let text {
      var input = user.pool.input
      input.members["Username"] = made["Username"]
      password.set(text, in: &input)
      input.members["Permanent"] = true
      try await calls.call(AdminSetUserPassword.self, input)
    }
    for name in group {
      var input = input(group: name)
      input.members["Username"] = made["Username"]
      try await calls.call(AdminAddUserToGroup.self, input)
    }
    var shown = made
    if !isTemporary { shown["UserStatus"] = "CONFIRMED" }
    if password.generatePassword { shown["Password"] = text.map { .string($0) } }
    try shown.printMade(id: "Username", secret: "Password", output)
  }
}

extension String? {
  /// The text, or a new password.
  func orMade(in poolID: String, _ calls: OperatorCalls) async throws -> String {
    if let self { return self }
    return try await PasswordOptions.make(poolID, calls.services.userPools)
  }
}

extension JSONValue {
  /// An attribute of a user.
  static func attribute(_ name: String, _ value: String) -> JSONValue {
    ["Name": .string(name), "Value": .string(value)]
  }
}
