internal import CognitoIdentity
internal import Records
internal import TokenSecurityBase

extension RecordStore {
  /// Checks that messages of a pool may be sent with a role, as its trust policy is now.
  ///
  /// - Parameters:
  ///   - arn: the role's ARN.
  ///   - poolID: the pool's id.
  ///   - account: the account of the service, 12 digits.
  ///   - isRemoved: whether the pool may have been removed. Default: no.
  /// - Returns: false where the pool does not exist.
  /// - Throws: `configurationRefused` for the role, `unavailable` where the store cannot be read.
  nonisolated(nonsending) func checkPublishing(
    _ arn: String, poolID: String, account: String, isRemoved: Bool = false
  ) async throws(PushError) -> Bool {
    do throws(IdentityError) {
      return try await read(at: .now, .fresh) { rows throws(IdentityError) in
        if !isRemoved { guard try rows.hasPool(poolID) else { return false } }
        try rows.checkSynchronizationRole(arn, ofPool: poolID, account: account)
        return true
      }
    } catch {
      switch error {
      case .roleUnknown, .roleRefused, .roleUnusable: throw .configurationRefused(error.ofPublishingRole)
      default: throw .unavailable("\(error)")
      }
    }
  }
}

extension IdentityError {
  /// Why a role may not publish messages. Its caller is the service, not whoever called it.
  var ofPublishingRole: String {
    guard case .roleRefused(let arn) = self else { return description }
    return
      "the trust policy of \(arn.quoted) does not admit cognito-sync.amazonaws.com for this account and pool"
  }
}
