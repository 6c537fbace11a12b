internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

extension IdentityPoolService {
  /// Does an operation of the JSON 1.1 protocol for a caller that may do everything.
  ///
  /// A server that knows its callers uses ``answer(_:_:by:at:)``, which keeps to the scope of their access keys.
  ///
  /// - Parameters:
  ///   - operation: which one. That the caller may ask for it was judged before.
  ///   - body: the request's JSON.
  ///   - now: the instant of the call.
  /// - Returns: the answer's JSON.
  public func answer(_ operation: Operation, _ body: [UInt8], at now: NumericDate = .now)
    async throws(IdentityError)
    -> [UInt8]
  {
    let parameters = try Parameters(body: body)
    if operation == .getCredentialsForIdentity {
      let credentials = try await getCredentials(
        for: parameters.required("IdentityId"), logins: parameters.logins() ?? [:],
        customRole: parameters.string("CustomRoleArn"), at: now)
      return Self.body(credentials)
    }
    return JSONWriter.write(try await perform(operation, parameters, at: now))
  }

  private func perform(
    _ operation: Operation, _ given: Parameters, at now: NumericDate
  ) async throws(IdentityError) -> JSONObject {
    switch operation {
    case .createIdentityPool: return try await createPool(given).description
    case .updateIdentityPool: return try await updatePool(given).description
    case .describeIdentityPool: return try describePool(given.required("IdentityPoolId")).description
    case .deleteIdentityPool:
      try await deletePool(given.required("IdentityPoolId"))
      return JSONObject()
    case .listIdentityPools:
      let page = try listPools(size: given.requiredInteger("MaxResults"), next: given.string("NextToken"))
      return .page("IdentityPools", page) {
        ["IdentityPoolId": .string($0.id), "IdentityPoolName": .string($0.name)]
      }
    case .setIdentityPoolRoles:
      let id = try given.required("IdentityPoolId")
      guard let roles = try given.map("Roles", keys: .tagKey, values: .arn, count: 0...2) else {
        throw .parameterMissing("Roles")
      }
      try await setRoles(roles, mappings: RoleMapping.read(given), ofPool: id)
      return JSONObject()
    case .getIdentityPoolRoles:
      let pool = try describePool(given.required("IdentityPoolId"))
      var answer: JSONObject = ["IdentityPoolId": .string(pool.id), "Roles": .map(pool.roles)]
      if !pool.roleMappings.isEmpty {
        answer["RoleMappings"] = .object(RoleMapping.object(pool.roleMappings))
      }
      return answer
    case .getOpenIDTokenForDeveloperIdentity, .lookupDeveloperIdentity, .mergeDeveloperIdentities,
      .unlinkDeveloperIdentity:
      return try await performForDeveloper(operation, given, at: now)
    case .getID:
      return .member(
        "IdentityId",
        .string(
          try await getID(
            poolID: given.required("IdentityPoolId"), account: given.string("AccountId"),
            logins: given.logins() ?? [:], at: now)))
    case .getOpenIDToken:
      return .token(
        try await getOpenIDToken(given.required("IdentityId"), logins: given.logins() ?? [:], at: now))
    case .unlinkIdentity:
      guard let logins = try given.logins() else { throw .parameterMissing("Logins") }
      guard let removing = try given.strings("LoginsToRemove", .providerName) else {
        throw .parameterMissing("LoginsToRemove")
      }
      try await unlinkIdentity(given.required("IdentityId"), logins: logins, removing: removing, at: now)
      return JSONObject()
    case .describeIdentity: return .identity(try describeIdentity(given.required("IdentityId")))
    case .listIdentities:
      let poolID = try given.required("IdentityPoolId")
      let page = try listIdentities(
        inPool: poolID, size: given.requiredInteger("MaxResults"), next: given.string("NextToken"),
        hidesDisabled: given.bool("HideDisabled") ?? false)
      var answer = JSONObject.page("Identities", page) { .identity($0) }
      answer["IdentityPoolId"] = .string(poolID)
      return answer
    case .deleteIdentities:
      guard let ids = try given.strings("IdentityIdsToDelete", .poolOrIdentityID, count: 1...60) else {
        throw .parameterMissing("IdentityIdsToDelete")
      }
      let missing = try await deleteIdentities(ids)
      return .member(
        "UnprocessedIdentityIds",
        .array(missing.map { .object(["IdentityId": .string($0), "ErrorCode": "AccessDenied"]) }))
    case .listTagsForResource:
      return .member("Tags", .map(try tags(ofResource: given.required("ResourceArn"))))
    case .tagResource:
      guard let tags = try given.map("Tags", keys: .tagKey, values: .tagValue, count: 0...50) else {
        throw .parameterMissing("Tags")
      }
      try await tag(resource: given.required("ResourceArn"), tags)
      return JSONObject()
    case .untagResource:
      guard let keys = try given.strings("TagKeys", .tagKey) else { throw .parameterMissing("TagKeys") }
      try await untag(resource: given.required("ResourceArn"), keys)
      return JSONObject()
    case .getPrincipalTagAttributeMap, .setPrincipalTagAttributeMap:
      return try await performOnPrincipalTags(operation, given)
    case .getCredentialsForIdentity: return JSONObject()
    }
  }

  private func performForDeveloper(
    _ operation: Operation, _ given: Parameters, at now: NumericDate
  ) async throws(IdentityError) -> JSONObject {
    let poolID = try given.required("IdentityPoolId")
    switch operation {
    case .getOpenIDTokenForDeveloperIdentity:
      guard let logins = try given.logins() else { throw .parameterMissing("Logins") }
      return .token(
        try await getOpenIDTokenForDeveloperIdentity(
          poolID: poolID, identityID: given.string("IdentityId"), logins: logins,
          duration: given.integer("TokenDuration").map { .seconds($0) },
          tags: given.map("PrincipalTags", keys: .tagKey, values: .principalTagValue, count: 0...50) ?? [:],
          at: now))
    case .lookupDeveloperIdentity:
      let found = try lookupDeveloperIdentity(
        poolID: poolID, identityID: given.string("IdentityId"), user: given.string("DeveloperUserIdentifier"),
        size: given.integer("MaxResults"), next: given.string("NextToken"))
      var answer: JSONObject = [
        "IdentityId": .string(found.identityID),
        "DeveloperUserIdentifierList": .array(found.users.elements.map(JSONValue.string)),
      ]
      answer["NextToken"] = found.users.next.map(JSONValue.string)
      return answer
    case .mergeDeveloperIdentities:
      return .member(
        "IdentityId",
        .string(
          try await mergeDeveloperIdentities(
            source: given.required("SourceUserIdentifier"),
            destination: given.required("DestinationUserIdentifier"),
            provider: given.required("DeveloperProviderName"), poolID: poolID, at: now)))
    default:
      try await unlinkDeveloperIdentity(
        given.required("IdentityId"), user: given.required("DeveloperUserIdentifier"),
        provider: given.required("DeveloperProviderName"), poolID: poolID, at: now)
      return JSONObject()
    }
  }

  private func performOnPrincipalTags(
    _ operation: Operation, _ given: Parameters
  ) async throws(IdentityError) -> JSONObject {
    let poolID = try given.required("IdentityPoolId")
    let provider = try given.required("IdentityProviderName")
    let map: IdentityPool.PrincipalTagMap
    if operation == .getPrincipalTagAttributeMap {
      map = try principalTags(ofPool: poolID, provider: provider)
    } else {
      map = try await setPrincipalTags(
        given.map("PrincipalTags", keys: .tagKey, values: .principalTagValue, count: 0...50) ?? [:],
        usesDefaults: given.bool("UseDefaults") ?? false, ofPool: poolID, provider: provider)
    }
    return [
      "IdentityPoolId": .string(poolID), "IdentityProviderName": .string(provider),
      "UseDefaults": .bool(map.usesDefaults), "PrincipalTags": .map(map.tags),
    ]
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
    // The secret is copied to where it is sent from, and nowhere else.
    credentials.secretAccessKey.withBytes { secret in
      body.removeLast(3)
      for index in secret.indices { body.append(secret[index]) }
    }
    body.append(contentsOf: Array("\"}}".utf8))
    return body
  }
}

extension Parameters {
  func logins() throws(IdentityError) -> NameMap<String>? {
    try map("Logins", keys: .providerName, values: .token, count: 0...10)
  }
}

extension JSONObject {
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

  static func page<T>(_ name: String, _ page: Page<T>, _ shown: (T) -> JSONObject) -> JSONObject {
    var object = JSONObject.member(name, .array(page.elements.map { .object(shown($0)) }))
    object["NextToken"] = page.next.map(JSONValue.string)
    return object
  }
}
