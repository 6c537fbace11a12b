internal import CognitoIdentity
internal import ServiceOperations
internal import TokenSecurityBase

/// The settings of an identity pool that can change: the members of `UpdateIdentityPool`, which replaces all of them,
/// and of `SetIdentityPoolRoles`, which does so with roles. Here they are one object.
enum IdentityPoolState {
  /// Reads the settings of a pool.
  static func read(_ id: OptionInput, _ calls: OperatorCalls) async throws -> JSONObject {
    var state = try await calls.call(DescribeIdentityPool.self, id)
    let roles = try await calls.call(GetIdentityPoolRoles.self, id)
    for member in roles.members { state[member.name] = member.value }
    return state
  }

  /// Stores settings. If the second operation refuses them, the first one is taken back.
  ///
  /// - Parameters:
  ///   - input: the new settings.
  ///   - old: the present ones.
  ///   - id: the pool.
  ///   - calls: the operations.
  /// - Returns: what changed.
  /// - Throws: a refusal.
  static func write(
    _ input: OptionInput, over old: JSONObject, _ id: OptionInput, _ calls: OperatorCalls
  ) async throws -> [SettingChange] {
    guard !old.changes(to: input.members).isEmpty else { return [] }
    var settings = input
    settings.members = input.members.members(of: UpdateIdentityPool.self)
    // An absent member leaves the tags as they are.
    settings.members["IdentityPoolTags"] = settings.members["IdentityPoolTags"] ?? .object([:])
    try await calls.call(UpdateIdentityPool.self, settings)
    do {
      let names = ["Roles", "RoleMappings"]
      if names.contains(where: { old[$0] != input.members[$0] }) {
        var roles = input
        // Without roles and mappings the operation removes those that there are.
        roles.members["Roles"] = roles.members["Roles"] ?? .object([:])
        try await setRoles(roles, id.members["IdentityPoolId"], calls)
      }
    } catch {
      _ = try? await calls.call(UpdateIdentityPool.self, old.members(of: UpdateIdentityPool.self))
      throw error
    }
    return old.changes(to: try await read(id, calls))
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
