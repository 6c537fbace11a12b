internal import ServiceOperations
internal import TokenSecurityBase

// The handlers of operations on pools, their factors and their tags.

extension Pools {
  func addHandlers(to table: inout Handlers) {
    table.on(CreateUserPool.self) { (input, context) throws(UserPoolError) in
      let pool = try await createPool(input, context)
      context.subject.warn(of: input.settings, .pool)
      return UserPoolOutput { $0.userPool = pool.response(account: account, users: 0) }
    }
    table.on(DescribeUserPool.self) { (input, context) throws(UserPoolError) in
      let (pool, users) = try await describePool(input.userPoolID, at: context.time)
      return UserPoolOutput { $0.userPool = pool.response(account: account, users: users) }
    }
    table.on(UpdateUserPool.self) { (input, context) throws(UserPoolError) in
      try await updatePool(input, context)
      context.subject.warn(of: input.settings, .pool)
      return NoMembers()
    }
    table.on(DeleteUserPool.self) { (input, context) throws(UserPoolError) in
      try await deletePool(input.userPoolID, context)
      return NoMembers()
    }
    table.on(ListUserPools.self) { (input, context) throws(UserPoolError) in
      let page = try await listPools(
        size: PageTokens.size(input.maxResults), token: input.nextToken, at: context.time)
      return ListUserPools.Output {
        $0.userPools = page.elements.map(\.listed)
        $0.nextToken = page.next
      }
    }
    table.on(AddCustomAttributes.self) { (input, context) throws(UserPoolError) in
      try await addAttributes(input.customAttributes, toPool: input.userPoolID, context)
      return NoMembers()
    }
    table.on(SetUserPoolMfaConfig.self) { (input, context) throws(UserPoolError) in
      let factors = try await setFactors(input, context)
      context.subject.warn(of: input, .pool)
      return factors
    }
    table.on(GetUserPoolMfaConfig.self) { (input, context) throws(UserPoolError) in
      try await factors(ofPool: input.userPoolID, at: context.time)
    }
    addTagHandlers(to: &table)
  }

  private func addTagHandlers(to table: inout Handlers) {
    table.on(TagUserPool.self) { (input, context) throws(UserPoolError) in
      try await tag(input.resourceARN, input.tags, context)
      return NoMembers()
    }
    table.on(UntagUserPool.self) { (input, context) throws(UserPoolError) in
      try await untag(input.resourceARN, input.tagKeys, context)
      return NoMembers()
    }
    table.on(ListTagsForUserPool.self) { (input, context) throws(UserPoolError) in
      let tags = try await tags(ofResource: input.resourceARN, at: context.time)
      return ListTagsForUserPool.Output { $0.tags = tags }
    }
  }
}

extension Pools {
  /// Performs `UpdateUserPool` and `SetUserPoolMfaConfig` at once: one refusal changes nothing, and no sign-in sees one
  /// change without the other.
  ///
  /// - Parameters:
  ///   - input: the settings. Their mode of second factors is not used.
  ///   - factors: the second factors.
  ///   - old: the pool that the settings were made of.
  ///   - context: the call. Its subject gets a warning of settings without effect.
  /// - Throws: `poolUnknown`, `parameterRefused`; `changedMeanwhile` if the pool is another one than `old` by now.
  package nonisolated(nonsending) func updatePool(
    _ input: UpdateUserPool.Input, factors: SetUserPoolMfaConfig.Input, over old: UserPool,
    _ context: CallContext
  ) async throws(UserPoolError) {
    try await replace(by: input, factors, over: old, context)
    context.subject.warn(of: input.settings, .pool)
  }
}

extension CallSubject {
  /// Warns of settings without effect.
  func warn(of settings: some Structure, _ owner: IneffectiveSetting.Owner) {
    guard let object = (try? JSONValue(parsing: settings.json))?.object else { return }
    if let warning = IneffectiveSetting.set(by: object, of: owner).warning { warn(warning) }
  }
}

extension UserPool {
  /// The pool as lists have it.
  fileprivate var listed: UserPoolDescriptionType {
    UserPoolDescriptionType {
      $0.id = id
      $0.name = name
      $0.lambdaConfig = hooksResponse
      $0.lastModifiedDate = modified
      $0.creationDate = created
    }
  }
}
