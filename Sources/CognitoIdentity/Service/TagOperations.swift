internal import TokenSecurityEncodings
/// Tags: of pools, and those that sessions get from claims.
extension IdentityPoolService {
  /// The pool that an ARN names.
  func poolID(ofARN arn: String) throws(IdentityError) -> String {
    try Bounds.arn.check(arn, "ResourceArn")
    guard let mark = arn.utf8.firstRange(of: ":identitypool/".utf8) else {
      throw .parameterPattern(
        "ResourceArn", pattern: "arn:aws:cognito-identity:REGION:ACCOUNT:identitypool/ID")
    }
    let id = String(arn[mark.upperBound...])
    try Bounds.poolOrIdentityID.check(id, "the pool in ResourceArn")
    guard IdentityPool(id: id, name: "").arn(account: settings.account) == arn else { throw .poolUnknown(id) }
    return id
  }

  /// A pool's tags (`ListTagsForResource`).
  public func tags(ofResource arn: String) throws(IdentityError) -> NameMap<String> {
    let id = try poolID(ofARN: arn)
    return try store.read { rows throws(IdentityError) in try Self.pool(id, rows).tags }
  }

  /// Sets tags of a pool (`TagResource`); 50 at the most.
  public func tag(resource arn: String, _ tags: NameMap<String>) async throws(IdentityError) {
    let id = try poolID(ofARN: arn)
    for (key, value) in tags {
      try Bounds.tagKey.check(key, "a key of Tags")
      try Bounds.tagValue.check(value, "a value of Tags")
    }
    try await store.write { rows throws(IdentityError) in
      var pool = try Self.pool(id, rows)
      pool.tags = pool.tags.merging(tags)
      try Bounds.count(pool.tags.count, 0...50, "Tags")
      try rows.put(pool)
    }
  }

  /// Takes tags off a pool (`UntagResource`).
  public func untag(resource arn: String, _ keys: [String]) async throws(IdentityError) {
    let id = try poolID(ofARN: arn)
    for key in keys { try Bounds.tagKey.check(key, "an element of TagKeys") }
    try await store.write { rows throws(IdentityError) in
      var pool = try Self.pool(id, rows)
      for key in keys { pool.tags[key] = nil }
      try rows.put(pool)
    }
  }

  /// Which claims become tags for a provider's logins (`GetPrincipalTagAttributeMap`).
  public func principalTags(ofPool id: String, provider: String) throws(IdentityError)
    -> IdentityPool.PrincipalTagMap
  {
    try Bounds.providerName.check(provider, "IdentityProviderName")
    return try pool(id).principalTagMaps[provider]
      ?? IdentityPool.PrincipalTagMap(usesDefaults: false, tags: [:])
  }

  /// Sets which claims become tags for a provider's logins (`SetPrincipalTagAttributeMap`).
  public func setPrincipalTags(
    _ tags: NameMap<String>, usesDefaults: Bool, ofPool id: String, provider: String
  ) async throws(IdentityError) -> IdentityPool.PrincipalTagMap {
    try Bounds.poolOrIdentityID.check(id, "IdentityPoolId")
    try Bounds.providerName.check(provider, "IdentityProviderName")
    try Bounds.count(tags.count, 0...50, "PrincipalTags")
    for (key, value) in tags {
      try Bounds.tagKey.check(key, "a key of PrincipalTags")
      try Bounds.principalTagValue.check(value, "a value of PrincipalTags")
    }
    let map = IdentityPool.PrincipalTagMap(usesDefaults: usesDefaults, tags: tags)
    try await store.write { rows throws(IdentityError) in
      var pool = try Self.pool(id, rows)
      // What a provider has without a map is not kept.
      pool.principalTagMaps[provider] = usesDefaults || !tags.isEmpty ? map : nil
      try rows.put(pool)
    }
    return map
  }
}
