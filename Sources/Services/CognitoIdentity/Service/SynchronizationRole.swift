package import Records

/// The role with which changes of data sets are published.
extension ReadTransaction<IdentityError> {
  /// Checks that data synchronisation may assume a role for a pool: the role's trust policy must allow the
  /// service `cognito-sync.amazonaws.com` for this account and this pool.
  ///
  /// - Parameters:
  ///   - arn: the role's ARN.
  ///   - poolID: the pool's id. The pool may have been removed: what it left at other services is removed with the
  ///     role.
  ///   - account: the account, 12 digits.
  /// - Throws: `roleUnknown`, `roleRefused`, `roleUnusable`, `storeFailed`.
  package func checkSynchronizationRole(
    _ arn: String, ofPool poolID: String, account: String
  ) throws(IdentityError) {
    guard let role = try role(arn) else { throw .roleUnknown(arn) }
    try role.check(
      .service(
        TrustContext.synchronization, account: account,
        source: IdentityPool.arn(ofPool: poolID, account: account)))
  }
}

extension IdentityPoolService {
  /// The role session's name in the credentials of ``publishingCredentials(ofRole:poolID:at:)``.
  package static let publishingSession = "cognito-sync"

  /// Issues credentials of a role with which a pool's changes are published, as AWS STS does for
  /// `cognito-sync.amazonaws.com`.
  ///
  /// They belong to no identity, and open no data set. The pool may have been removed: the role's trust policy
  /// names it, and callers check whether it must exist.
  ///
  /// - Parameters:
  ///   - arn: the role's ARN.
  ///   - poolID: the pool's id.
  ///   - now: the time of issue.
  /// - Returns: the credentials, for one hour.
  /// - Throws: `roleUnknown`, `roleRefused`, `roleUnusable`, `storeFailed`.
  package nonisolated(nonsending) func publishingCredentials(
    ofRole arn: String, poolID: String, at now: Timestamp = .now
  ) async throws(IdentityError) -> TemporaryCredentials {
    let account = settings.account
    try await store.read(at: now, .fresh) { rows throws(IdentityError) in
      try rows.checkSynchronizationRole(arn, ofPool: poolID, account: account)
    }
    return try sessions.issue(
      SessionTokens.Session(
        roleARN: arn, name: Self.publishingSession, identityID: "", poolID: poolID, tags: [:]),
      lifetime: Self.credentialsLifetime, at: now)
  }
}
