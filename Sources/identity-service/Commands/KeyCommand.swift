internal import ArgumentParser
internal import CognitoIdentity

/// Manages access keys and signing keys. A running service applies changes of access keys at once, and of
/// signing keys within five seconds.
struct KeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Manage developers' access keys and the keys that sign tokens.",
    subcommands: [Create.self, List.self, Remove.self, Rotate.self, Revoke.self])

  struct Folder: ParsableArguments {
    @Option(help: "The service's data folder.")
    var data: String

    @Option(help: "The service's region.")
    var region = "us-east-1"

    func service() throws -> IdentityPoolService {
      try ServiceConfiguration.checkRegion(region)
      let folder = try DataFolder(data)
      return IdentityPoolService(
        store: folder.store, sealing: folder.sealing, logins: LoginVerifier(),
        settings: IdentityPoolService.Settings(region: region))
    }
  }

  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a developer's access key and print it. Its secret cannot be shown again.")
    @OptionGroup var folder: Folder
    @Option(help: "A note that `key list` shows.") var note = ""
    @Option(help: "Ids of the pools that the key allows, separated by commas. Default: all pools.")
    var pools: String?
    @Option(
      help: "The calls that the key allows: read, issue, administer, separated by commas. Default: all.")
    var may: String?

    func run() async throws {
      var capabilities = Set(AccessKeyScope.Capability.allCases)
      if let may {
        capabilities = []
        let names = may.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        for name in names.map(Substring.init) {
          guard let capability = AccessKeyScope.Capability(name: String(name)) else {
            throw OperatingError("--may \(name): it must be read, issue or administer")
          }
          capabilities.insert(capability)
        }
      }
      let ids = pools?.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
        String(Substring($0))
      }
      let scope = try AccessKeyScope(pools: ids, capabilities: capabilities)
      let service = try folder.service()
      for id in ids ?? [] { _ = try service.describePool(id) }
      let key = PrintedKey(try await service.createAccessKey(note: note, scope: scope))
      StandardOutput.write(key.exports + "\n")
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List access keys and signing keys.")
    @OptionGroup var folder: Folder

    func run() async throws {
      let (access, signing) = try folder.service().store.read { rows throws(IdentityError) in
        (try rows.accessKeys(), try rows.signingKeys())
      }
      for key in access {
        let may = AccessKeyScope.Capability.allCases.filter(key.scope.capabilities.contains)
        let pools = key.scope.pools.map { "pools " + $0.joined(separator: ",") } ?? "every pool"
        StandardOutput.write(
          "access   \(key.id)  made \(key.created)  may \(may.map(\.name).joined(separator: ","))  \(pools)  \(key.note)\n"
        )
      }
      for key in signing {
        StandardOutput.write("signing  \(key.keyID)  signs from \(key.signsFrom)\n")
      }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove an access key. Its calls are refused from now on.")
    @OptionGroup var folder: Folder
    @Argument(help: "The access key's id.") var id: String

    func run() async throws {
      let id = id
      try await folder.service().store.write { rows throws(IdentityError) in
        guard try Self.has(id, rows) else {
          throw .parameterRefused("the access key", rule: "no key has this id")
        }
        try rows.removeAccessKey(id)
      }
    }

    /// Returns true where the key exists, even if it cannot be read.
    private static func has(_ id: String, _ rows: any IdentityReading) throws(IdentityError) -> Bool {
      do throws(IdentityError) { return try rows.accessKey(id) != nil } catch {
        guard case .storeFailed = error else { throw error }
        return true
      }
    }
  }

  struct Rotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Publish a new signing key. It signs after the notice.")
    @OptionGroup var folder: Folder
    @Option(help: "The seconds until the key signs. Verifiers must have fetched it by then.")
    var notice: Int64 = 3_600

    func run() async throws {
      guard notice >= 0 else { throw OperatingError("--notice \(notice): the notice must not be negative") }
      try await folder.service().keys.rotate(notice: .seconds(notice))
    }
  }

  struct Revoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Revoke a compromised signing key: its tokens are refused, and a new key signs at once.")
    @OptionGroup var folder: Folder
    @Argument(help: "The key's id (kid).") var keyID: String

    func run() async throws {
      let service = try folder.service()
      let keyID = keyID
      let isKnown = try service.store.read { rows throws(IdentityError) in
        try rows.signingKeys().contains { $0.keyID == keyID }
      }
      guard isKnown else { throw OperatingError("there is no signing key \(keyID)") }
      try await service.keys.revoke(keyID)
    }
  }
}
