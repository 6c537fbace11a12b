internal import ArgumentParser
internal import CognitoIdentity
internal import TokenSecurityBase

/// Manages managed policies.
struct PolicyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "policy",
    abstract:
      "Manage the policies by whose ARNs sessions are limited (PolicyArns). A running service applies changes.",
    subcommands: [Put.self, List.self, Remove.self])

  struct Put: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Add or replace a policy, and print its ARN.")
    @OptionGroup var folder: DataOptions
    @Argument(help: ArgumentHelp("The name: 1 to 128 letters, digits and _+=,.@-.", valueName: "name"))
    var name: String
    @Option(help: ArgumentHelp("A JSON file with the policy.", valueName: "file"), completion: .file())
    var policy: String

    func run() async throws {
      let input = OptionInput.named("the policy's name", "<name>", name)
      let policy = try await input.explaining { try PolicyFile.read(self.policy, name: name) }
      let arn = try await folder.withService { service in
        try await service.store.write { rows throws(IdentityError) in try rows.put(policy) }
        return policy.arn(account: service.settings.account)
      }
      try StandardOutput.print("\(arn)\n")
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List policies.")
    @OptionGroup var folder: DataOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let (policies, account) = try await folder.withService { service in
        let policies = try await service.store.read { rows throws(IdentityError) in
          try rows.managedPolicies()
        }
        return (policies, service.settings.account)
      }
      guard !output.json else {
        return try StandardOutput.print([
          "policies": .array(
            policies.map {
              .object(["arn": .string($0.arn(account: account)), "document": .string($0.document)])
            })
        ])
      }
      for policy in policies {
        let problem = policy.warnings.isEmpty ? "" : "  warnings: \(policy.warnings.count)"
        try StandardOutput.print("\(policy.arn(account: account))\(problem)\n")
      }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove a policy. Sessions that it limits may do nothing from then on.")
    @OptionGroup var folder: DataOptions
    @Argument(help: ArgumentHelp("The policy's ARN.", valueName: "arn")) var arn: String

    func run() async throws {
      let arn = arn
      try await folder.withService { service in
        let account = service.settings.account
        let isKnown = try await service.store.write { rows throws(IdentityError) in
          try rows.removeManagedPolicy(arn, ofAccount: account)
        }
        guard isKnown else {
          throw OperatingError("the policy \(arn.quoted): no policy has this ARN", code: .nameUnknown)
        }
      }
    }
  }
}
