internal import TokenSecurityBase

// The handlers of operations on pools, their roles and their tags.

extension IdentityPoolService {
  typealias Handlers = OperationTable<IdentityPoolOperations.Context, IdentityError>

  func addPoolHandlers(to table: inout Handlers) {
    table.on(CreateIdentityPool.self) { (input, _) throws(IdentityError) in
      try await createPool(input).memberDescription
    }
    table.on(UpdateIdentityPool.self) { (input, _) throws(IdentityError) in
      try await updatePool(input.poolID, input.settings).memberDescription
    }
    table.on(DescribeIdentityPool.self) { (input, _) throws(IdentityError) in
      try await describePool(input.poolID).memberDescription
    }
    table.on(DeleteIdentityPool.self) { (input, _) throws(IdentityError) in
      try await deletePool(input.poolID)
      return NoMembers()
    }
    table.on(ListIdentityPools.self) { (input, _) throws(IdentityError) in
      let page = try await listPools(size: input.maxResults, next: input.nextToken)
      return ListIdentityPools.Output {
        $0.nextToken = page.next
        $0.pools = page.elements.map { pool in
          ListIdentityPools.Summary {
            $0.poolID = pool.id
            $0.name = pool.name
          }
        }
      }
    }
    addRoleHandlers(to: &table)
    addTagHandlers(to: &table)
  }

  private static func mappings(
    of input: SetIdentityPoolRoles.Input
  ) throws(IdentityError) -> NameMap<RoleMapping> {
    var mappings = NameMap<RoleMapping>()
    for (provider, settings) in input.mappings ?? [:] {
      mappings[provider.text] = try RoleMapping(settings)
    }
    return mappings
  }

  /// Performs `UpdateIdentityPool` and `SetIdentityPoolRoles` at once: one refusal changes nothing.
  ///
  /// - Parameters:
  ///   - input: the settings.
  ///   - roles: the roles and mappings.
  ///   - old: the pool that the settings were made of.
  /// - Returns: the pool; nil if it is another one than `old` by now, and nothing was changed.
  /// - Throws: the errors of both operations.
  package func updatePool(
    _ input: UpdateIdentityPool.Input, roles: SetIdentityPoolRoles.Input, over old: IdentityPool
  ) async throws(IdentityError) -> IdentityPool? {
    try await updatePool(
      input.poolID, input.settings, roles: (NameMap(roles.roles), Self.mappings(of: roles)), over: old)
  }

  private func addRoleHandlers(to table: inout Handlers) {
    table.on(SetIdentityPoolRoles.self) { (input, _) throws(IdentityError) in
      try await setRoles(NameMap(input.roles), mappings: Self.mappings(of: input), ofPool: input.poolID)
      return NoMembers()
    }
    table.on(GetIdentityPoolRoles.self) { (input, _) throws(IdentityError) in
      let pool = try await describePool(input.poolID)
      return GetIdentityPoolRoles.Output {
        $0.poolID = pool.id
        $0.roles = pool.roles.members
        $0.mappings = pool.roleMappings.isEmpty ? nil : pool.roleMappings.members.mapValues(\.members)
      }
    }
  }

  private func addTagHandlers(to table: inout Handlers) {
    table.on(TagResource.self) { (input, _) throws(IdentityError) in
      try await tag(resource: input.arn, NameMap(input.tags))
      return NoMembers()
    }
    table.on(UntagResource.self) { (input, _) throws(IdentityError) in
      try await untag(resource: input.arn, input.keys)
      return NoMembers()
    }
    table.on(ListTagsForResource.self) { (input, _) throws(IdentityError) in
      let tags = try await tags(ofResource: input.arn)
      return ListTagsForResource.Output { $0.tags = tags.members }
    }
    table.on(SetPrincipalTagAttributeMap.self) { (input, _) throws(IdentityError) in
      let map = try await setPrincipalTags(
        NameMap(input.principalTags ?? [:]), usesDefaults: input.usesDefaults ?? false, ofPool: input.poolID,
        provider: input.provider)
      return Self.members(map, input.poolID, input.provider)
    }
    table.on(GetPrincipalTagAttributeMap.self) { (input, _) throws(IdentityError) in
      let map = try await principalTags(ofPool: input.poolID, provider: input.provider)
      return Self.members(map, input.poolID, input.provider)
    }
  }

  private static func members(
    _ map: IdentityPool.PrincipalTagMap, _ poolID: String, _ provider: String
  ) -> PrincipalTagMap {
    PrincipalTagMap {
      $0.poolID = poolID
      $0.provider = provider
      $0.usesDefaults = map.usesDefaults
      $0.principalTags = map.tags.members
    }
  }
}
