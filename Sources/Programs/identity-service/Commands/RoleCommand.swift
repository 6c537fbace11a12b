internal import ArgumentParser
internal import CognitoIdentity
internal import TokenSecurityBase

/// Manages roles.
struct RoleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "role", abstract: "Manage roles and their policies.",
    subcommands: [Put.self, List.self, Show.self, Remove.self])

  struct Put: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add or replace a role. A trust policy that allows any pool is refused.")
    @OptionGroup var folder: DataOptions
    @Argument(help: ArgumentHelp("arn:aws:iam::ACCOUNT:role/NAME", valueName: "arn")) var arn: String
    @Option(
      help: ArgumentHelp("A JSON file with the trust policy.", valueName: "file"), completion: .file())
    var trustPolicy: String
    @Option(
      name: .customLong("policy"),
      help: ArgumentHelp(
        "A JSON file with a permission policy. Its name is that of the file without extension. Repeatable.",
        valueName: "file"), completion: .file())
    var policies: [String] = []
    @Flag(help: "Remove the policies that the role has.") var withoutPolicies = false
    @Option(help: ArgumentHelp("The longest session in seconds, 3600 to 43200.", valueName: "seconds"))
    var longestSession: Int64 = 3_600

    func run() async throws {
      let text = try TextFile.read(trustPolicy)
      do throws(IdentityError) { _ = try TrustPolicy(json: text) } catch {
        throw OperatingError("\(trustPolicy): \(error)", code: .fileUnusable)
      }
      guard policies.isEmpty || !withoutPolicies else {
        throw OperatingError("--policy and --without-policies exclude each other")
      }
      let role = StoredRole(
        arn: arn, trustPolicy: text, longestSession: .seconds(longestSession),
        policies: try policies.map { try PolicyFile.read($0) })
      let mayRemove = withoutPolicies
      try await folder.withService { service in
        if role.policies.isEmpty, !mayRemove { try await Self.requireNoPolicies(role.arn, service) }
        try await OptionInput.named("RoleArn", "<arn>", arn).explaining { try await service.putRole(role) }
      }
    }

    /// A role without policies may do more, and nobody should get it by leaving an option out.
    private static func requireNoPolicies(_ arn: String, _ service: IdentityPoolService) async throws {
      let names = try await service.store.read(at: .now, .fresh) { rows throws(IdentityError) in
        try rows.role(arn)?.policies.map(\.name) ?? []
      }
      guard names.isEmpty else {
        throw OperatingError(
          "the role has policies (\(names.joined(separator: ", "))): name their files with --policy again, or remove them with --without-policies"
        )
      }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List roles.")
    @OptionGroup var folder: DataOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let roles = try await folder.withService { service in
        try await service.store.read { rows throws(IdentityError) in try rows.roles() }
      }
      guard !output.json else {
        return try StandardOutput.print(["roles": .array(roles.map { .object(RoleCommand.object($0)) })])
      }
      for role in roles {
        let problem = RoleCommand.problem(role).map { "  cannot be assumed: \($0)" } ?? ""
        try StandardOutput.print(
          "\(role.arn)  at most \(role.longestSession.wholeSeconds) s  \(RoleCommand.rights(role))\(problem)\n"
        )
      }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show a role: its policies, word for word.")
    @OptionGroup var folder: DataOptions
    @Argument(help: ArgumentHelp("The role's ARN.", valueName: "arn")) var arn: String
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let arn = arn
      let role = try await folder.withService { service in
        try await service.store.read(at: .now, .fresh) { rows throws(IdentityError) in
          guard let role = try rows.role(arn) else { throw .roleUnknown(arn) }
          return role
        }
      }
      guard !output.json else { return try StandardOutput.print(RoleCommand.object(role)) }
      var rows: JSONObject = [
        "arn": .string(role.arn), "longestSession": .string("\(role.longestSession.wholeSeconds) s"),
        "trustPolicy": .string(role.trustPolicy.oneLine),
      ]
      for policy in role.policies { rows["policy \(policy.name)"] = .string(policy.document.oneLine) }
      if role.policies.isEmpty { rows["policies"] = .string(RoleCommand.rights(role)) }
      if let problem = RoleCommand.problem(role) { rows["cannot be assumed"] = .string(problem) }
      try rows.printRows()
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract:
        "Remove a role. No new credentials are issued for it, and those that were issued allow no calls.")
    @OptionGroup var folder: DataOptions
    @Argument(help: ArgumentHelp("The role's ARN.", valueName: "arn")) var arn: String

    func run() async throws {
      let arn = arn
      try await folder.withService { service in
        try await service.store.write { rows throws(IdentityError) in
          guard try rows.role(arn) != nil else { throw .roleUnknown(arn) }
          try rows.removeRole(arn)
        }
      }
    }
  }

  private static func object(_ role: StoredRole) -> JSONObject {
    [
      "arn": .string(role.arn), "longestSession": .number(JSONNumber(role.longestSession.wholeSeconds)),
      "trustPolicy": .string(role.trustPolicy),
      "policies": .array(role.policies.map { PolicyFile.object($0) }),
      "problem": problem(role).map { .string($0) } ?? .null,
    ]
  }

  /// Returns the names of a role's policies, or what its sessions may do without one.
  private static func rights(_ role: StoredRole) -> String {
    guard !role.policies.isEmpty else { return "no policies: identities may use their own data sets" }
    return "policies " + role.policies.map(\.name).joined(separator: ", ")
  }

  /// Returns what is wrong with a trust policy that an earlier version accepted.
  private static func problem(_ role: StoredRole) -> String? {
    do {
      _ = try TrustPolicy(json: role.trustPolicy)
      return nil
    } catch {
      return "\(error)"
    }
  }
}

extension String {
  /// JSON on one line; another text as it is.
  fileprivate var oneLine: String {
    (try? JSONValue(parsing: self)).map { String(decoding: JSONWriter.write($0), as: UTF8.self) } ?? self
  }
}
