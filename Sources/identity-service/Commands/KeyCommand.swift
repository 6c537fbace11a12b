internal import ArgumentParser
internal import CognitoIdentity
internal import JOSE

/// Keys: developers' access keys, and those that sign tokens. A running service sees the changes at once, or within five
/// seconds for signing keys.
struct KeyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key", abstract: "Developers' access keys, and the keys that sign tokens.",
    subcommands: [Create.self, List.self, Remove.self, Rotate.self, Revoke.self])

  struct Folder: ParsableArguments {
    @Option(help: "The folder that the service's data lies in.")
    var data: String

    @Option(help: "The service's region.")
    var region = "us-east-1"

    func service() throws -> IdentityPoolService {
      try ServiceConfiguration.checkRegion(region)
      let folder = try DataFolder(data)
      return IdentityPoolService(
        store: folder.store, sealing: folder.sealing, logins: LoginVerifier(transport: NoFetching()),
        settings: IdentityPoolService.Settings(region: region))
    }
  }

  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a developer's access key and print it, once.")
    @OptionGroup var folder: Folder
    @Option(help: "What you call it.") var note = ""
    @Option(help: "Ids of the pools that it opens, with commas between. Default: every pool.")
    var pools: String?
    @Option(
      help: "What it may do: read, issue, administer, with commas between. Default: everything.")
    var may: String?

    func run() async throws {
      var capabilities = Set(AccessKeyScope.Capability.allCases)
      if let may {
        capabilities = []
        let names = may.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        for name in names.map(Substring.init) {
          guard let capability = AccessKeyScope.Capability(name: String(name)) else {
            throw OperatingError("--may \(name): it is read, issue or administer")
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
      abstract: "Remove an access key: calls that it signs are refused from now on.")
    @OptionGroup var folder: Folder
    @Argument(help: "The access key's id.") var id: String

    func run() async throws {
      let id = id
      try await folder.service().store.write { rows throws(IdentityError) in
        guard try Self.has(id, rows) else {
          throw .parameterRefused("the access key", rule: "there is none of this id")
        }
        try rows.removeAccessKey(id)
      }
    }

    /// True where there is such a key, also one that cannot be read.
    private static func has(_ id: String, _ rows: any IdentityReading) throws(IdentityError) -> Bool {
      do throws(IdentityError) { return try rows.accessKey(id) != nil } catch {
        guard case .storeFailed = error else { throw error }
        return true
      }
    }
  }

  struct Rotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Publish a new signing key now; it signs in an hour, unless said otherwise.")
    @OptionGroup var folder: Folder
    @Option(help: "How many seconds it is published before it signs: verifiers must have fetched it by then.")
    var notice: Int64 = 3_600

    func run() async throws {
      guard notice >= 0 else { throw OperatingError("the notice is below 0 s") }
      try await folder.service().keys.rotate(notice: .seconds(notice))
    }
  }

  struct Revoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract:
        "Take a signing key back that has got out: its tokens no longer hold, and a new key signs at once.")
    @OptionGroup var folder: Folder
    @Argument(help: "The key's kid.") var keyID: String

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
