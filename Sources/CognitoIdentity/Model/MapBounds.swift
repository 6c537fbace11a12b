internal import TokenSecurityEncodings

/// The bounds of a member that maps texts to texts: its size, its keys and its values.
struct MapBounds: Sendable {
  let name: String
  let count: ClosedRange<Int>
  let keys: Bounds
  let values: Bounds

  static let logins = MapBounds(name: "Logins", count: 0...10, keys: .providerName, values: .token)
  static let principalTags = MapBounds(
    name: "PrincipalTags", count: 0...50, keys: .tagKey, values: .principalTagValue)
  static let tags = MapBounds(name: "Tags", count: 0...50, keys: .tagKey, values: .tagValue)
  static let poolTags = MapBounds(name: "IdentityPoolTags", count: 0...50, keys: .tagKey, values: .tagValue)
  static let roles = MapBounds(name: "Roles", count: 0...2, keys: .tagKey, values: .arn)
  static let supportedLoginProviders = MapBounds(
    name: "SupportedLoginProviders", count: 0...10, keys: .providerName, values: .providerID)

  /// Checks a whole map.
  func check(_ map: NameMap<String>) throws(IdentityError) {
    try Bounds.count(map.count, count, name)
    for (key, value) in map { try check(key, value, of: name) }
  }

  /// Checks one entry of the member at `path`.
  func check(_ key: String, _ value: String, of path: String) throws(IdentityError) {
    try keys.check(key, "a key of \(path)")
    try values.check(value, "a value of \(path)")
  }
}
