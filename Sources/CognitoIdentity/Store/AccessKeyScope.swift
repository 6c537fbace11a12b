internal import TokenSecurityEncodings

/// What a developer's access key opens: which pools, and which kinds of calls.
public struct AccessKeyScope: Sendable, Hashable {
  /// The ids of its pools, sorted; nil for every pool, also for pools that are made later.
  public var pools: [String]? { ids?.map(\.text) }
  private let ids: [ExactString]?
  /// The kinds of calls.
  public let capabilities: Set<Capability>

  /// The most pools that a key may be limited to.
  public static let poolLimit = 100

  /// Every pool and every call.
  public static let everything = AccessKeyScope()

  /// A kind of calls. Every signed operation belongs to one.
  public enum Capability: Sendable, Hashable, CaseIterable {
    /// Calls that change nothing.
    case reading
    /// `GetOpenIdTokenForDeveloperIdentity`: makes identities and tokens for the developer's users.
    case issuing
    /// Calls that change pools, roles, tags, or the logins of users.
    case administering

    /// Its name in the command and in the store.
    public var name: String {
      switch self {
      case .reading: "read"
      case .issuing: "issue"
      case .administering: "administer"
      }
    }

    /// The capability of this name; nil for any other text.
    public init?(name: String) {
      guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
      self = found
    }
  }

  private init() {
    ids = nil
    capabilities = Set(Capability.allCases)
  }

  /// A limited scope.
  ///
  /// - Parameters:
  ///   - pools: ids of 1 to 100 pools; nil for every pool.
  ///   - capabilities: the kinds of calls; at least one.
  /// - Throws: `parameterLength`, `parameterPattern`.
  public init(
    pools: [String]? = nil, capabilities: Set<Capability> = Set(Capability.allCases)
  ) throws(IdentityError) {
    if let pools {
      try Bounds.count(pools.count, 1...Self.poolLimit, "the pools of the access key")
      for id in pools { try Bounds.poolOrIdentityID.check(id, "a pool of the access key") }
    }
    try Bounds.count(capabilities.count, 1...Capability.allCases.count, "the capabilities of the access key")
    ids = pools.map { ids in ids.sorted().map { ExactString($0) } }
    self.capabilities = capabilities
  }

  /// True where the key opens this pool.
  public func covers(pool id: String) -> Bool { ids?.contains(ExactString(id)) ?? true }
}

/// As a store keeps it: nothing where it is not limited.
extension AccessKeyScope {
  /// The pools' ids, each in a line.
  package var storedPools: String? { pools?.joined(separator: "\n") }

  /// The capabilities' names with commas between.
  package var storedCapabilities: String? {
    capabilities.count == Capability.allCases.count
      ? nil : capabilities.map(\.name).sorted().joined(separator: ",")
  }

  /// Reads both; nil where one of them is not understood.
  package init?(storedPools pools: String?, storedCapabilities names: String?) {
    var capabilities = Set(Capability.allCases)
    if let names {
      capabilities = []
      for name in names.parts(",") {
        guard let capability = Capability(name: name) else { return nil }
        capabilities.insert(capability)
      }
    }
    let ids = pools?.parts("\n")
    do throws(IdentityError) {
      try self.init(pools: ids, capabilities: capabilities)
    } catch {
      return nil
    }
  }
}
