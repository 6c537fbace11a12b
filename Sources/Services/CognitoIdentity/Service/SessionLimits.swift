internal import TokenSecurityBase

extension SessionPolicy {
  /// Checks the managed policies of a session, and their size with that of its own policy.
  ///
  /// - Parameters:
  ///   - arns: the ARNs of managed policies.
  ///   - policy: the session's own policy without white space; nil for none.
  ///   - store: the store of managed policies, which is read only if there are ARNs.
  ///   - account: the service's account.
  /// - Throws: `parameterLength` for more than 10, or for more than 2,048 characters together; `parameterRefused` for one that
  ///   does not exist, or that is named twice.
  nonisolated(nonsending) static func check(
    _ arns: [String], _ policy: String?, in store: any RecordStore, account: String
  ) async throws(IdentityError) {
    guard !arns.isEmpty else { return }
    try CountBounds(0...countLimit).check(arns.count, "PolicyArns")
    var known: Set<ExactString> = []
    for arn in arns where !known.insert(ExactString(arn)).inserted {
      throw .parameterRefused("PolicyArns", rule: "\(arn.quoted(upTo: 256)) is named twice")
    }
    let missing = try await store.read(at: .now, .fresh) { rows throws(IdentityError) -> String? in
      for arn in arns where try rows.managedPolicy(arn, ofAccount: account)?.loaded == nil { return arn }
      return nil
    }
    if let missing {
      throw .parameterRefused(
        "PolicyArns", rule: "there is no policy \(missing.quoted(upTo: 256)) that can be loaded")
    }
    let size = arns.reduce(policy?.unicodeScalars.count ?? 0) { $0 + $1.unicodeScalars.count }
    try CountBounds(0...sizeLimit).check(size, "Policy and PolicyArns together, in characters,")
  }

  /// Maximum number of managed policies of a session.
  private static let countLimit = 10
  /// Maximum number of characters of a session's own policy and of the ARNs of its managed policies.
  private static let sizeLimit = 2_048
}
