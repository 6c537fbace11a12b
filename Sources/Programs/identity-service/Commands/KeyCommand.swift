internal import ArgumentParser
internal import CognitoIdentity
internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// Manages access keys and signing keys. A running service applies changes of access keys at once, and of
/// signing keys within five seconds.
struct KeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Manage access keys, the keys that sign tokens, and the master key.",
    subcommands: [Create.self, List.self, Remove.self, Policy.self, Rotate.self, Revoke.self, Reseal.self])

  /// The kind of calls with a name.
  ///
  /// - Throws: an `OperatingError` that names the argument.
  private static func capability(_ name: String, _ argument: String) throws -> AccessKeyScope.Capability {
    guard let capability = AccessKeyScope.Capability(name: name) else {
      throw OperatingError("\(argument): it must be read, issue or administer")
    }
    return capability
  }

  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a developer's access key and print it. Its secret cannot be shown again.",
      discussion: """
        EXAMPLES:
          A key for a backend that signs users in to one pool, set in this shell:

            eval "$(identity-service key create --data /var/lib/identity \\
              --pools "$pool" --may issue --print)"

        With --print, the output is two lines of shell commands and nothing else: \
        export AWS_ACCESS_KEY_ID=ID and export AWS_SECRET_ACCESS_KEY=SECRET. With \
        --json, it is one line that AWS's credential_process understands: \
        {"Version":1,"AccessKeyId":"ID","SecretAccessKey":"SECRET"}.
        """)
    @OptionGroup var folder: DataOptions
    @Option(help: ArgumentHelp("A note that `key list` shows.", valueName: "text")) var note = ""
    @Option(
      help: ArgumentHelp(
        "Ids of the identity pools and user pools that the key allows, separated by commas. Default: all pools.",
        valueName: "ids"))
    var pools: String?
    @Option(
      help: ArgumentHelp(
        "The calls that the key allows: read, issue, administer, separated by commas. Default: all.",
        valueName: "kinds"), completion: .list(AccessKeyScope.Capability.allCases.map(\.name)))
    var may: String?
    @Option(
      name: .customLong("policy"),
      help: ArgumentHelp(
        "A JSON file with a policy that says what the key allows, in place of --may. Its name is that of the file without extension. Repeatable.",
        valueName: "file"), completion: .file())
    var policies: [String] = []
    @Option(
      name: .customLong("api"),
      help: ArgumentHelp(
        "The name of a service in signatures: the key of an API that verifies requests to it, and has no other right. In place of --may. Repeatable.",
        valueName: "name"))
    var apis: [String] = []
    @Flag(name: .customLong("print"), help: "Print two lines of shell commands that set the key.")
    var prints = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
      guard !prints || !output.json else { throw ValidationError("--print and --json exclude each other") }
      guard [may != nil, !policies.isEmpty, !apis.isEmpty].count(where: { $0 }) <= 1 else {
        throw ValidationError("--may, --policy and --api exclude each other")
      }
      guard apis.isEmpty || pools == nil else {
        throw ValidationError("--api and --pools exclude each other")
      }
    }

    func run() async throws {
      let ids = pools.map { Self.parts($0) }
      let files = try policies.map { try PolicyFile.read($0) }
      let capabilities = try capabilities()
      try await folder.withServices { services in
        let service = services.identityPools
        let found = apis.isEmpty ? files : [try APIKeyPolicy.make(apis, account: service.settings.account)]
        let scope =
          found.isEmpty
          ? try AccessKeyScope(pools: ids, capabilities: capabilities)
          : try AccessKeyScope(pools: ids, policies: found)
        for id in ids ?? [] { try await services.check(poolID: id) }
        let key = AccessKeyText(try await service.createAccessKey(note: note, scope: scope))
        let isPrinted =
          if output.json {
            key.print(.json)
          } else if prints {
            key.print(.exports(indent: 0))
          } else {
            key.print(.exports(indent: 2), after: "A new access key. Its secret is shown only once:\n\n")
          }
        guard !isPrinted else { return }
        let reason = SystemError.text
        let id = key.id
        try await service.store.write { rows throws(IdentityError) in try rows.removeAccessKey(id) }
        throw OperatingError("standard output: \(reason); no key was made", code: .outputFailed)
      }
    }

    private func capabilities() throws -> Set<AccessKeyScope.Capability> {
      guard let may else { return Set(AccessKeyScope.Capability.allCases) }
      var capabilities: Set<AccessKeyScope.Capability> = []
      for name in Self.parts(may) {
        capabilities.insert(try KeyCommand.capability(name, "--may \(name.quoted)"))
      }
      return capabilities
    }

    private static func parts(_ list: String) -> [String] {
      list.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        .map { String(Substring($0)) }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List access keys and signing keys.")
    @OptionGroup var folder: DataOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let (access, signing) = try await folder.withService { service in
        try await service.store.read { rows throws(IdentityError) in
          (try rows.accessKeys(), try rows.signingKeys())
        }
      }
      guard !output.json else {
        return try StandardOutput.print([
          "accessKeys": .array(access.map { .object(Self.object($0)) }),
          "signingKeys": .array(
            signing.map {
              .object(["id": .string($0.keyID), "signsFrom": .string("\($0.signsFrom)")])
            }),
        ])
      }
      for key in access {
        let pools = key.scope.pools.map { "pools " + $0.joined(separator: ",") } ?? "every pool"
        try StandardOutput.print(
          "access   \(key.id)  made \(key.created)  \(Self.rights(key))  "
            + "\(pools)  \(key.note.visible(upTo: 256))\n")
      }
      for key in signing {
        try StandardOutput.print("signing  \(key.keyID)  signs from \(key.signsFrom)\n")
      }
    }

    private static func rights(_ key: StoredAccessKey) -> String {
      guard key.scope.policies.isEmpty else {
        return "policies \(key.scope.policies.map(\.name).joined(separator: ","))"
      }
      return "may \(kinds(key).joined(separator: ","))"
    }

    private static func kinds(_ key: StoredAccessKey) -> [String] {
      AccessKeyScope.Capability.allCases.filter(key.scope.capabilities.contains).map(\.name)
    }

    private static func object(_ key: StoredAccessKey) -> JSONObject {
      [
        "id": .string(key.id), "made": .string("\(key.created)"),
        "may": .array(kinds(key).map { .string($0) }),
        "policies": .array(key.scope.policies.map { PolicyFile.object($0) }),
        "pools": key.scope.pools.map { .array($0.map { .string($0) }) } ?? .null, "note": .string(key.note),
      ]
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove an access key. Its calls are refused from now on.")
    @OptionGroup var folder: DataOptions
    @Argument(help: ArgumentHelp("The access key's id.", valueName: "id")) var id: String

    func run() async throws {
      let id = id
      try await folder.withService { service in
        let isKnown = try await service.store.write { rows throws(IdentityError) in
          guard try rows.hasAccessKey(id) else { return false }
          try rows.removeAccessKey(id)
          return true
        }
        guard isKnown else {
          throw OperatingError("the access key \(id.quoted): no key has this id", code: .nameUnknown)
        }
      }
    }
  }

  struct Policy: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the policy that allows what --may KIND allows, to begin a policy of one's own with.")
    @Argument(help: ArgumentHelp("read, issue or administer.", valueName: "kind")) var kind: String

    func run() throws {
      let capability = try KeyCommand.capability(kind, "the kind \(kind.quoted)")
      try StandardOutput.print("\(capability.policyDocument)\n")
    }
  }

  struct Rotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Publish a new signing key, and print its id and when it signs. It signs after the notice.")
    @OptionGroup var folder: DataOptions
    @Option(
      help: ArgumentHelp(
        "The seconds until the key signs. Verifiers must have fetched it by then.", valueName: "seconds"))
    var notice: Int64 = 3_600

    func run() async throws {
      guard notice >= 0 else { throw OperatingError("--notice \(notice): the notice must not be negative") }
      let notice = Duration.seconds(notice)
      let (made, waiting) = try await folder.withService { service in
        let made = try await service.keys.rotate(notice: notice)
        let keys = try await service.store.read(at: .now, .fresh) { rows throws(IdentityError) in
          try rows.signingKeys()
        }
        return (made, keys.filter { $0.signsFrom > made.published && !($0.keyID == made.keyID) })
      }
      try StandardOutput.print("signing  \(made.keyID)  signs from \(made.signsFrom)\n")
      for key in waiting {
        try StandardOutput.print("waits    \(key.keyID)  signs from \(key.signsFrom)\n")
      }
    }
  }

  struct Revoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Revoke a compromised signing key: its tokens are refused, and a new key signs at once.")
    @OptionGroup var folder: DataOptions
    @Argument(help: ArgumentHelp("The key's id (kid).", valueName: "kid")) var keyID: String

    func run() async throws {
      let keyID = keyID
      try await folder.withService { service in
        let isKnown = try await service.store.read { rows throws(IdentityError) in
          try rows.signingKeys().contains { $0.keyID == keyID }
        }
        guard isKnown else {
          throw OperatingError("there is no signing key \(keyID.quoted)", code: .nameUnknown)
        }
        try await service.keys.revoke(keyID)
      }
    }
  }
}
