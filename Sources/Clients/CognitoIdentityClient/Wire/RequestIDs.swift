internal import ServiceOperations
internal import TokenSecurityBase

/// Ids within the declared bounds: a region, a colon and an id, at most 55 characters.
enum RequestIDs {
  /// True for the id of a pool in `region`.
  static func isPoolID(_ id: String, region: String) -> Bool {
    id.hasPrefix(region + ":") && isIdentity(id)
  }

  /// True for the id of an identity or pool.
  static func isIdentity(_ id: String) -> Bool { TextBounds.identityID.allows(id) }

  /// True for the id of an account.
  static func isAccount(_ id: String) -> Bool { TextBounds.accountID.allows(id) }
}
