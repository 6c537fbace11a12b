internal import CognitoIdentity
internal import ServiceOperations
internal import TokenSecurityBase

/// The settings of an identity pool that can change: the members of `UpdateIdentityPool`, which replaces all of them,
/// and of `SetIdentityPoolRoles`, which does so with roles. Here they are one object.
enum IdentityPoolState {
  /// A pool, and its settings as members.
  typealias State = (row: IdentityPool, settings: JSONObject)

  /// Reads the settings of a pool.
  static func read(_ id: OptionInput, _ calls: OperatorCalls) async throws -> State {
    // The row first: a change after it is noticed when the settings are stored.
    let row = try await id.explaining {
      try await calls.services.identityPools.describePool(id.members["IdentityPoolId"]?.string ?? "")
    }
    var state = try await calls.call(DescribeIdentityPool.self, id)
    let roles = try await calls.call(GetIdentityPoolRoles.self, id)
    for member in roles.members { state[member.name] = member.value }
    return (row, state)
  }

  /// Stores settings, all in one transaction.
  ///
  /// - Parameters:
  ///   - input: the new settings.
  ///   - old: the present ones.
  ///   - id: the pool.
  ///   - calls: the operations.
  /// - Returns: what changed, and what was to be changed and stayed; nil if the pool has changed since it was read.
  /// - Throws: a refusal.
  static func write(
    _ input: OptionInput, over old: State, _ id: OptionInput, _ calls: OperatorCalls
  ) async throws -> [SettingChange]? {
    let wanted = old.settings.changes(to: input.members)
    guard !wanted.isEmpty else { return [] }
    var settings = input.members.members(of: UpdateIdentityPool.self)
    var roles = input.members.members(of: SetIdentityPoolRoles.self)
    // An absent member leaves the tags as they are.
    settings["IdentityPoolTags"] = settings["IdentityPoolTags"] ?? .object([:])
    roles["Roles"] = roles["Roles"] ?? .object([:])
    for member in id.members.members {
      settings[member.name] = member.value
      roles[member.name] = member.value
    }
    let stored = try await input.explaining { [settings, roles] in
      try await calls.services.identityPools.updatePool(
        OperatorCalls.request(UpdateIdentityPool.Input.self, settings, else: IdentityError.request),
        roles: OperatorCalls.request(SetIdentityPoolRoles.Input.self, roles, else: IdentityError.request),
        over: old.row)
    }
    guard stored != nil else { return nil }
    return try await SettingChange.made(wanted, old.settings, read(id, calls).settings)
  }

  /// Sets the roles and mappings, if there are any.
  static func setRoles(_ input: OptionInput, _ id: JSONValue?, _ calls: OperatorCalls) async throws {
    var roles = input
    roles.members = input.members.members(of: SetIdentityPoolRoles.self)
    guard roles.members["Roles"] != nil || roles.members["RoleMappings"] != nil else { return }
    roles.members["Roles"] = roles.members["Roles"] ?? .object([:])
    roles.members["IdentityPoolId"] = id
    try await calls.call(SetIdentityPoolRoles.self, roles)
  }
}
