internal import TokenSecurityEncodings

extension IdentityPoolService {
  /// Performs an operation of the JSON 1.1 protocol without restricting the caller.
  ///
  /// A server that authenticates callers uses ``respond(to:_:by:at:)``, which applies the scope of their
  /// access keys.
  ///
  /// - Parameters:
  ///   - operation: the operation, which the caller was authorized to call.
  ///   - body: the request's JSON.
  ///   - now: the time of the call.
  /// - Returns: the response's JSON.
  /// - Throws: `requestMalformed` and the operation's own errors.
  public func respond(
    to operation: Operation, _ body: [UInt8], at now: Timestamp = .now
  ) async throws(IdentityError) -> [UInt8] {
    let given = try Parameters(body: body)
    let response: JSONObject
    switch operation {
    case .getCredentialsForIdentity:
      let credentials = try await issueCredentials(
        for: given.required("IdentityId"), logins: Logins(given) ?? .none,
        customRole: given.string("CustomRoleArn"), at: now)
      return Self.body(credentials)
    case .createIdentityPool: response = try await createPool(given).publicDocument
    case .updateIdentityPool: response = try await updatePool(given).publicDocument
    case .describeIdentityPool:
      response = try await describePool(given.required("IdentityPoolId")).publicDocument
    case .deleteIdentityPool:
      try await deletePool(given.required("IdentityPoolId"))
      response = [:]
    case .listIdentityPools:
      let page = try await listPools(
        size: given.required(given.integer("MaxResults"), "MaxResults"), next: given.string("NextToken"))
      response = .page("IdentityPools", page) {
        ["IdentityPoolId": .string($0.id), "IdentityPoolName": .string($0.name)]
      }
    case .setIdentityPoolRoles:
      let id = try given.required("IdentityPoolId")
      let roles = try given.required(given.map(.roles), "Roles")
      try await setRoles(roles, mappings: RoleMapping.read(given), ofPool: id)
      response = [:]
    case .getIdentityPoolRoles: response = .roles(try await describePool(given.required("IdentityPoolId")))
    case .getOpenIDTokenForDeveloperIdentity: response = try await developerToken(given, at: now)
    case .lookupDeveloperIdentity: response = try await developerUsers(given)
    case .mergeDeveloperIdentities: response = try await merge(given, at: now)
    case .unlinkDeveloperIdentity:
      let poolID = try given.required("IdentityPoolId")
      try await unlinkDeveloperIdentity(
        given.required("IdentityId"), user: given.required("DeveloperUserIdentifier"),
        provider: given.required("DeveloperProviderName"), poolID: poolID, at: now)
      response = [:]
    case .getID:
      let id = try await resolveIdentity(
        poolID: given.required("IdentityPoolId"), account: given.string("AccountId"),
        logins: Logins(given) ?? .none, at: now)
      response = ["IdentityId": .string(id)]
    case .getOpenIDToken:
      response = .token(
        try await issueOpenIDToken(
          for: given.required("IdentityId"), logins: Logins(given) ?? .none, at: now))
    case .unlinkIdentity:
      let logins = try given.required(Logins(given), "Logins")
      let removing = try given.required(given.strings("LoginsToRemove", .providerName), "LoginsToRemove")
      try await unlinkIdentity(given.required("IdentityId"), logins: logins, removing: removing, at: now)
      response = [:]
    case .describeIdentity: response = .identity(try await describeIdentity(given.required("IdentityId")))
    case .listIdentities: response = try await identities(given)
    case .deleteIdentities:
      let ids = try given.required(
        given.strings("IdentityIdsToDelete", .poolOrIdentityID, count: 1...60), "IdentityIdsToDelete")
      let missing = try await deleteIdentities(ids)
      response = [
        "UnprocessedIdentityIds": .array(
          missing.map { .object(["IdentityId": .string($0), "ErrorCode": "AccessDenied"]) })
      ]
    case .listTagsForResource:
      response = ["Tags": .map(try await tags(ofResource: given.required("ResourceArn")))]
    case .tagResource:
      let tags = try given.required(given.map(.tags), "Tags")
      try await tag(resource: given.required("ResourceArn"), tags)
      response = [:]
    case .untagResource:
      let keys = try given.required(given.strings("TagKeys", .tagKey), "TagKeys")
      try await untag(resource: given.required("ResourceArn"), keys)
      response = [:]
    case .getPrincipalTagAttributeMap:
      let (pool, provider) = try given.poolAndProvider()
      response = .principalTags(try await principalTags(ofPool: pool, provider: provider), pool, provider)
    case .setPrincipalTagAttributeMap:
      let (pool, provider) = try given.poolAndProvider()
      let map = try await setPrincipalTags(
        PrincipalTags(given) ?? .none, usesDefaults: given.bool("UseDefaults") ?? false, ofPool: pool,
        provider: provider)
      response = .principalTags(map, pool, provider)
    }
    return JSONWriter.write(response)
  }

  private func developerToken(_ given: Parameters, at now: Timestamp) async throws(IdentityError)
    -> JSONObject
  {
    let poolID = try given.required("IdentityPoolId")
    let logins = try given.required(Logins(given), "Logins")
    let identityID = try given.string("IdentityId")
    let seconds = try given.integer("TokenDuration")
    let tags = try PrincipalTags(given) ?? .none
    return .token(
      try await issueDeveloperToken(
        poolID: poolID, identityID: identityID, logins: logins,
        duration: TokenDuration(seconds.map { .seconds($0) }), tags: tags, at: now))
  }

  private func developerUsers(_ given: Parameters) async throws(IdentityError) -> JSONObject {
    let found = try await lookupDeveloperIdentity(
      poolID: given.required("IdentityPoolId"), identityID: given.string("IdentityId"),
      user: given.string("DeveloperUserIdentifier"), size: given.integer("MaxResults"),
      next: given.string("NextToken"))
    var response: JSONObject = [
      "IdentityId": .string(found.identityID),
      "DeveloperUserIdentifierList": .array(found.users.elements.map(JSONValue.string)),
    ]
    response["NextToken"] = found.users.next.map(JSONValue.string)
    return response
  }

  private func merge(_ given: Parameters, at now: Timestamp) async throws(IdentityError) -> JSONObject {
    let poolID = try given.required("IdentityPoolId")
    let id = try await mergeDeveloperIdentities(
      source: given.required("SourceUserIdentifier"),
      destination: given.required("DestinationUserIdentifier"),
      provider: given.required("DeveloperProviderName"), poolID: poolID, at: now)
    return ["IdentityId": .string(id)]
  }

  private func identities(_ given: Parameters) async throws(IdentityError) -> JSONObject {
    let poolID = try given.required("IdentityPoolId")
    let page = try await listIdentities(
      inPool: poolID, size: given.required(given.integer("MaxResults"), "MaxResults"),
      next: given.string("NextToken"),
      hidesDisabled: given.bool("HideDisabled") ?? false)
    var response = JSONObject.page("Identities", page) { .identity($0) }
    response["IdentityPoolId"] = .string(poolID)
    return response
  }

  private static func body(_ credentials: borrowing TemporaryCredentials) -> [UInt8] {
    var body = JSONWriter.write(
      [
        "IdentityId": .string(credentials.session.identityID),
        "Credentials": .object([
          "AccessKeyId": .string(credentials.accessKeyID),
          "SessionToken": .string(credentials.sessionToken),
          "Expiration": .number(JSONNumber(credentials.expiration.seconds)), "SecretKey": "",
        ]),
      ] as JSONObject)
    // The secret is copied into the response's bytes only: it is inserted before the closing quotation mark.
    credentials.secretAccessKey.withBytes { secret in
      body.removeLast(3)
      for index in secret.indices { body.append(secret[index]) }
    }
    body.append(contentsOf: Array("\"}}".utf8))
    return body
  }
}

extension Parameters {
  fileprivate func poolAndProvider() throws(IdentityError) -> (pool: String, provider: String) {
    (try required("IdentityPoolId"), try required("IdentityProviderName"))
  }
}

extension JSONObject {
  static func principalTags(
    _ map: IdentityPool.PrincipalTagMap, _ poolID: String, _ provider: String
  ) -> JSONObject {
    [
      "IdentityPoolId": .string(poolID), "IdentityProviderName": .string(provider),
      "UseDefaults": .bool(map.usesDefaults), "PrincipalTags": .map(map.tags),
    ]
  }

  static func token(_ issued: IssuedToken) -> JSONObject {
    ["IdentityId": .string(issued.identityID), "Token": .string(issued.token)]
  }

  static func identity(_ found: IdentityPoolService.DescribedIdentity) -> JSONObject {
    [
      "IdentityId": .string(found.identity.id), "Logins": .array(found.providers.map(JSONValue.string)),
      "CreationDate": .number(JSONNumber(found.identity.created.seconds)),
      "LastModifiedDate": .number(JSONNumber(found.identity.modified.seconds)),
    ]
  }

  static func roles(_ pool: IdentityPool) -> JSONObject {
    var object: JSONObject = ["IdentityPoolId": .string(pool.id), "Roles": .map(pool.roles)]
    if !pool.roleMappings.isEmpty { object["RoleMappings"] = .object(RoleMapping.object(pool.roleMappings)) }
    return object
  }

  static func page<T>(
    _ name: String, _ page: IdentityPoolService.Page<T>, _ body: (T) -> JSONObject
  ) -> JSONObject {
    var object = JSONObject()
    object[name] = .array(page.elements.map { .object(body($0)) })
    object["NextToken"] = page.next.map(JSONValue.string)
    return object
  }
}
