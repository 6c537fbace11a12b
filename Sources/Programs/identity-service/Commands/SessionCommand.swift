internal import ArgumentParser
internal import CognitoIdentity
internal import TokenSecurityBase

/// Ends sessions of temporary credentials before their time.
struct SessionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "session",
    abstract: "End sessions of temporary credentials. A running service applies this at once.",
    subcommands: [Revoke.self, List.self])

  struct Revoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Refuse the sessions that have begun until now. Later sessions are valid.",
      discussion: """
        An API that verifies requests itself asks again after at most --session-recheck \
        seconds of the service, and refuses the sessions then.
        """)
    @OptionGroup var folder: DataOptions
    @Option(help: ArgumentHelp("The access key id of one session's credentials (ASIA…).", valueName: "id"))
    var accessKeyId: String?
    @Option(help: ArgumentHelp("An identity's id: all of its sessions.", valueName: "id"))
    var identity: String?
    @Option(help: ArgumentHelp("A role's ARN: all of its sessions.", valueName: "arn"))
    var role: String?

    private var named: [(SessionRevocation.Kind, String)] {
      [(.session, accessKeyId), (.identity, identity), (.role, role)].compactMap { kind, name in
        name.map { (kind, $0) }
      }
    }

    func validate() throws {
      guard named.count == 1 else {
        throw ValidationError("one of --access-key-id, --identity and --role is needed")
      }
    }

    func run() async throws {
      guard let (kind, name) = named.first else { return }
      let (revocation, isKnown) = try await folder.withService { service in
        let revocation = try await Self.input(kind, name).explaining {
          try SessionRevocation(kind, name, until: .now)
        }
        try await service.store.write { rows throws(IdentityError) in try rows.put(revocation) }
        return (revocation, await Self.isKnown(kind, name, service))
      }
      if !isKnown {
        StandardError.write(
          "identity-service: warning: there is no \(kind.rawValue.text) \(name.quoted); sessions of a removed one are ended\n"
        )
      }
      try StandardOutput.print("\(SessionCommand.line(revocation))\n")
    }

    /// The name and its option, for refusals.
    private static func input(_ kind: SessionRevocation.Kind, _ name: String) -> OptionInput {
      switch kind {
      case .session: .named("the session's access key id", "--access-key-id", name)
      case .identity: .named("the identity's id", "--identity", name)
      case .role: .named("the role's ARN", "--role", name)
      }
    }

    /// Sessions have no rows, so that each access key id may be one; a row that cannot be read is there.
    private static func isKnown(
      _ kind: SessionRevocation.Kind, _ name: String, _ service: IdentityPoolService
    ) async -> Bool {
      let found = try? await service.store.read(at: .now, .fresh) { rows throws(IdentityError) in
        switch kind {
        case .session: true
        case .identity: try rows.identity(name) != nil
        case .role: try rows.role(name) != nil
        }
      }
      return found ?? true
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the revocations that a session can still be of.")
    @OptionGroup var folder: DataOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let revocations = try await folder.withService { service in
        try await service.store.read { rows throws(IdentityError) in try rows.sessionRevocations() }
      }
      guard !output.json else {
        return try StandardOutput.print([
          "revocations": .array(
            revocations.map {
              .object([
                "kind": .string($0.kind.rawValue.text), "name": .string($0.name),
                "until": .string("\($0.until)"),
              ])
            })
        ])
      }
      for revocation in revocations { try StandardOutput.print("\(SessionCommand.line(revocation))\n") }
    }
  }

  private static func line(_ revocation: SessionRevocation) -> String {
    "\(revocation.kind.rawValue.text)  \(revocation.name.visible(upTo: 2_048))  until \(revocation.until)"
  }
}
