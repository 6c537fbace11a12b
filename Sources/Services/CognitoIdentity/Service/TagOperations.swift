internal import TokenSecurityBase

/// Operations on tags of pools, and on session tags from claims.
extension IdentityPoolService {
  /// Returns the id of the pool that an ARN names.
  func poolID(ofARN arn: String) throws(IdentityError) -> String {
    try TextBounds.resourceARN.check(arn, "ResourceArn")
    guard let mark = arn.utf8.firstRange(of: ":identitypool/".utf8) else {
      throw .parameterPattern(
        "ResourceArn", pattern: "arn:aws:cognito-identity:REGION:ACCOUNT:identitypool/ID")
    }
    let id = String(arn[mark.upperBound...])
    try TextBounds.identityID.check(id, "the pool in ResourceArn")
    guard IdentityPool(id: id, name: "").arn(account: settings.account) == arn else { throw .poolUnknown(id) }
    return id
  }

  /// Returns a pool's tags (`ListTagsForResource`).
  ///
  /// - Parameter arn: the pool's ARN.
  /// - Returns: the tags.
  /// - Throws: `poolUnknown`, `parameterPattern`, `storeFailed`.
  public func tags(ofResource arn: String) async throws(IdentityError) -> NameMap<String> {
    let id = try poolID(ofARN: arn)
    return try await store.read { rows throws(IdentityError) in try Self.pool(id, rows).tags }
  }

  /// Adds or replaces tags of a pool (`TagResource`).
  ///
  /// - Parameters:
  ///   - arn: the pool's ARN.
  ///   - tags: the tags. A pool has at most 50.
  /// - Throws: `poolUnknown`, `parameterLength`, `parameterPattern`, `storeFailed`.
  public func tag(resource arn: String, _ tags: NameMap<String>) async throws(IdentityError) {
    let id = try poolID(ofARN: arn)
    let tags = try MapBounds<TextBounds>.tags.checked(tags, "Tags")
    try await store.write { rows throws(IdentityError) in
      var pool = try Self.pool(id, rows)
      pool.tags = pool.tags.merging(tags)
      try MapBounds<TextBounds>.tags.count.check(pool.tags.count, "Tags")
      try rows.put(pool)
    }
  }

  /// Removes tags of a pool (`UntagResource`).
  ///
  /// - Parameters:
  ///   - arn: the pool's ARN.
  ///   - keys: the tags' keys.
  /// - Throws: `poolUnknown`, `parameterLength`, `parameterPattern`, `storeFailed`.
  public func untag(resource arn: String, _ keys: [String]) async throws(IdentityError) {
    let id = try poolID(ofARN: arn)
    for key in keys { try TextBounds.tagKey.check(key, "an element of TagKeys") }
    try await store.write { rows throws(IdentityError) in
      var pool = try Self.pool(id, rows)
      for key in keys { pool.tags[key] = nil }
      try rows.put(pool)
    }
  }

  /// Returns which claims of a provider's logins become session tags (`GetPrincipalTagAttributeMap`).
  ///
  /// - Parameters:
  ///   - id: the pool's id.
  ///   - provider: the provider's name.
  /// - Returns: the map of tags to claims; an empty one where none was set.
  /// - Throws: `poolUnknown`, `parameterLength`, `parameterPattern`, `storeFailed`.
  public func principalTags(
    ofPool id: String, provider: String
  ) async throws(IdentityError) -> IdentityPool.PrincipalTagMap {
    try TextBounds.provider.check(provider, "IdentityProviderName")
    return try await pool(id).principalTagMaps[provider]
      ?? IdentityPool.PrincipalTagMap(usesDefaults: false, tags: [:])
  }

  /// Sets which claims of a provider's logins become session tags (`SetPrincipalTagAttributeMap`).
  ///
  /// - Parameters:
  ///   - tags: claims by tag; at most 50.
  ///   - usesDefaults: true for the default tags: `username` from `sub` and `client` from `aud`.
  ///   - id: the pool's id.
  ///   - provider: the provider's name.
  /// - Returns: the map that was set.
  /// - Throws: `poolUnknown`, `parameterLength`, `parameterPattern`, `storeFailed`.
  public func setPrincipalTags(
    _ tags: NameMap<String>, usesDefaults: Bool, ofPool id: String, provider: String
  ) async throws(IdentityError) -> IdentityPool.PrincipalTagMap {
    let tags = try MapBounds<TextBounds>.principalTags.checked(tags, "PrincipalTags")
    try TextBounds.identityID.check(id, "IdentityPoolId")
    try TextBounds.provider.check(provider, "IdentityProviderName")
    let map = IdentityPool.PrincipalTagMap(usesDefaults: usesDefaults, tags: tags)
    try await store.write { rows throws(IdentityError) in
      var pool = try Self.pool(id, rows)
      // An empty map is the default and is not stored.
      pool.principalTagMaps[provider] = usesDefaults || !tags.isEmpty ? map : nil
      try rows.put(pool)
    }
    return map
  }
}
