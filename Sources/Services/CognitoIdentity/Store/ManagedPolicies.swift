internal import Records
internal import TokenSecurityBase

// Managed policies: permission policies with an ARN of their own, by which sessions are limited (`PolicyArns`).

extension PermissionPolicy {
  /// Maximum number of characters of a managed policy without white space.
  public static let managedSizeLimit = 6_144

  /// The ARN of the managed policy of this name: `arn:aws:iam::ACCOUNT:policy/NAME`.
  ///
  /// - Parameter account: the service's account, 12 digits.
  /// - Returns: the ARN.
  public func arn(account: String) -> String { Self.arnPrefix(account) + name }

  private static func arnPrefix(_ account: String) -> String { "arn:aws:iam::\(account):policy/" }

  /// The name in the ARN of a managed policy of an account; nil for another ARN.
  fileprivate static func name(ofARN arn: String, account: String) -> String? {
    arn.rest(after: arnPrefix(account)).flatMap { (try? checkName($0)) == nil ? nil : $0 }
  }
}

extension ReadTransaction<IdentityError> {
  /// Returns a managed policy by its ARN; nil if not found.
  public func managedPolicy(_ arn: String, ofAccount account: String) throws(IdentityError)
    -> PermissionPolicy?
  {
    guard let name = PermissionPolicy.name(ofARN: arn, account: account) else { return nil }
    return try get(IdentityTables.managedPolicies, RecordKey(name))
  }

  /// Returns all managed policies, ordered by name.
  public func managedPolicies() throws(IdentityError) -> [PermissionPolicy] {
    try scan(IdentityTables.managedPolicies, limit: IdentityTables.listLimit)
  }
}

extension WriteTransaction<IdentityError> {
  /// Adds or replaces a managed policy.
  public func put(_ policy: PermissionPolicy) throws(IdentityError) {
    try policy.check()
    try CountBounds(0...PermissionPolicy.managedSizeLimit).check(
      policy.size, "the managed policy without white space, in characters,")
    try put(policy, in: IdentityTables.managedPolicies)
  }

  /// Removes a managed policy. Sessions that it limits may do nothing from then on.
  ///
  /// - Parameters:
  ///   - arn: its ARN.
  ///   - account: the service's account.
  /// - Returns: whether there was one.
  /// - Throws: `storeFailed`.
  @discardableResult
  public func removeManagedPolicy(_ arn: String, ofAccount account: String) throws(IdentityError) -> Bool {
    guard let policy = try managedPolicy(arn, ofAccount: account) else { return false }
    try delete(RecordKey(policy.name), from: IdentityTables.managedPolicies)
    return true
  }
}
