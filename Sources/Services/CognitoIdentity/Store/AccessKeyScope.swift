internal import TokenSecurityBase

/// The pools and kinds of calls that a developer's access key allows.
public struct AccessKeyScope: Sendable, Hashable {
  /// The ids of the allowed identity pools and user pools, sorted; nil for all pools, future ones included.
  public var pools: [String]? { ids?.map(\.text) }
  /// True where the key is limited to some pools.
  package var isLimitedToPools: Bool { ids != nil }
  private let ids: [ExactString]?
  /// The allowed kinds of calls. None where policies decide.
  public let capabilities: Set<Capability>
  /// The policies that decide which calls are allowed, in place of kinds of calls; none by default.
  public let policies: [PermissionPolicy]

  /// Maximum number of pools in a limited scope.
  public static let poolLimit = 100

  /// All pools and all calls.
  public static let everything = AccessKeyScope()

  /// A kind of signed calls: `read`, `issue` or `administer`.
  public typealias Capability = OperationAccess.Capability

  private init() {
    ids = nil
    capabilities = Set(Capability.allCases)
    policies = []
  }

  /// Makes a limited scope.
  ///
  /// - Parameters:
  ///   - pools: ids of 1 to 100 identity pools and user pools. Default: all pools.
  ///   - capabilities: the kinds of calls; at least one.
  /// - Throws: `parameterLength`, `parameterPattern`.
  public init(
    pools: [String]? = nil, capabilities: Set<Capability> = Set(Capability.allCases)
  ) throws(IdentityError) {
    try CountBounds(1...Capability.allCases.count).check(
      capabilities.count, "the capabilities of the access key")
    try self.init(pools, capabilities, [])
  }

  /// Makes a scope with policies.
  ///
  /// - Parameters:
  ///   - pools: ids of 1 to 100 identity pools and user pools, which limit what the policies allow. Default: all pools.
  ///   - policies: 1 to 10 policies, at most 10,240 characters without white space.
  /// - Throws: `parameterLength`, `parameterPattern`; `parameterRefused` for two policies of one name.
  public init(pools: [String]? = nil, policies: [PermissionPolicy]) throws(IdentityError) {
    try CountBounds(1...PermissionPolicy.countLimit).check(policies.count, "the policies of the access key")
    try PermissionPolicy.check(policies, of: "the access key")
    try self.init(pools, [], policies)
  }

  /// A stored scope.
  init(
    _ pools: [String]?, _ capabilities: Set<Capability>, _ policies: [PermissionPolicy]
  ) throws(IdentityError) {
    if let pools {
      try CountBounds(1...Self.poolLimit).check(pools.count, "the pools of the access key")
      for id in pools where (try? UserPoolID(id)) == nil {
        try TextBounds.identityID.check(id, "a pool of the access key")
      }
    }
    ids = pools.map { ids in ids.sorted().map { ExactString($0) } }
    self.capabilities = capabilities
    self.policies = policies
  }

  /// Returns true where the scope includes a pool.
  ///
  /// - Parameter id: the pool's id.
  /// - Returns: whether the scope includes it.
  public func covers(pool id: String) -> Bool { ids?.contains(ExactString(id)) ?? true }
}
