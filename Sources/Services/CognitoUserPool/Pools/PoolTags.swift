internal import TokenLifetime
internal import TokenSecurityBase

/// Tags of pools.
extension Pools {
  /// Maximum number of tags of a pool.
  private static var tagLimit: Int { 50 }

  /// Returns the id of the pool that an ARN names.
  ///
  /// - Throws: `resourceUnknown` for another resource.
  package func poolID(ofARN arn: String) throws(UserPoolError) -> String {
    let parts = arn.parts(at: "/", most: 2)
    guard parts.count == 2 else { throw .resourceUnknown(arn) }
    var pool = UserPool()
    pool.id = parts[1]
    guard pool.region == issuers.region, pool.arn(account: account) == arn else {
      throw .resourceUnknown(arn)
    }
    return pool.id
  }

  /// Returns a pool's tags (`ListTagsForResource`).
  ///
  /// - Throws: `resourceUnknown`, `poolUnknown`.
  package nonisolated(nonsending) func tags(
    ofResource arn: String, at time: Timestamp
  ) async throws(UserPoolError) -> [ExactString: String] {
    let id = try poolID(ofARN: arn)
    return try await store.read(at: time) { rows throws(UserPoolError) in try rows.existingPool(id).tags }
  }

  /// Adds or replaces tags of a pool (`TagResource`).
  ///
  /// - Throws: `resourceUnknown`, `poolUnknown`, `limitReached`, `parameterRefused`.
  package nonisolated(nonsending) func tag(
    _ arn: String, _ tags: [ExactString: String], _ context: CallContext
  ) async throws(UserPoolError) {
    try UserPool.check(tags, "Tags")
    try await change(poolID(ofARN: arn), context) { pool throws(UserPoolError) in
      pool.tags.merge(tags) { $1 }
      guard pool.tags.count <= Self.tagLimit else { throw .limitReached(of: "tags", limit: Self.tagLimit) }
    }
  }

  /// Removes tags of a pool (`UntagResource`).
  ///
  /// - Throws: `resourceUnknown`, `poolUnknown`.
  package nonisolated(nonsending) func untag(
    _ arn: String, _ keys: [String], _ context: CallContext
  ) async throws(UserPoolError) {
    try await change(poolID(ofARN: arn), context) { pool throws(UserPoolError) in
      for key in keys { pool.tags[ExactString(key)] = nil }
    }
  }
}

extension UserPool {
  /// Checks tags that are set. A misspelt one would change nothing.
  ///
  /// - Throws: `parameterRefused`.
  static func check(_ tags: [ExactString: String], _ member: String) throws(UserPoolError) {
    for (key, value) in tags where key.text.hasPrefix(ownTagPrefix) {
      switch key {
      case unknownUsersMediumTag:
        guard DeliveryMedium(rawValue: ExactString(value)) != nil else {
          throw .parameterRefused(member, rule: "the tag \(key.text) must be EMAIL or SMS")
        }
      case endsSignInsTag:
        guard ["true", "false"].contains(ExactString(value)) else {
          throw .parameterRefused(member, rule: "the tag \(key.text) must be true or false")
        }
      default:
        throw .parameterRefused(
          member,
          rule: "the tags of \(ownTagPrefix) are \(unknownUsersMediumTag.text) and \(endsSignInsTag.text)")
      }
    }
  }
}
