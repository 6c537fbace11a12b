internal import TokenLifetime
internal import TokenSecurityBase

// Calls on a pool's settings for push messages.

extension SyncService {
  package nonisolated(nonsending) func configuration(
    _ poolID: String, _ context: IdentityPoolOperations.Context
  ) async throws(SyncError) -> SyncConfiguration {
    let found = try await store.read(at: context.time, .fresh) { rows throws(SyncError) in
      try rows.requirePool(poolID)
      return try rows.pushConfiguration(poolID)
    }
    return SyncConfiguration {
      $0.poolID = poolID
      $0.push = found?.members
    }
  }

  /// Sets where messages are sent. The role must exist, and its trust policy must admit the service for this account
  /// and this pool.
  package nonisolated(nonsending) func setConfiguration(
    _ input: SetIdentityPoolConfiguration.Input, _ context: IdentityPoolOperations.Context
  ) async throws(SyncError) -> SyncConfiguration {
    // Ignored, changes would seem to be streamed.
    guard input.streams == nil else { throw .request(.memberUnknown("CognitoStreams")) }
    let configuration = try PushConfiguration(input.push ?? PushSettings(), poolID: input.poolID)
    let account = settings.account
    try await store.write(at: context.time) { rows throws(SyncError) in
      try rows.requirePool(input.poolID)
      guard let configuration else {
        try rows.delete(RecordKey(input.poolID), from: SyncTables.configurations)
        return
      }
      try rows.requireRole(of: configuration, account: account)
      try rows.put(configuration)
    }
    return SyncConfiguration {
      $0.poolID = input.poolID
      $0.push = configuration?.members
    }
  }
}

extension WriteTransaction<SyncError> {
  /// Checks the trust policy of the role that sends a pool's messages.
  fileprivate func requireRole(of configuration: PushConfiguration, account: String) throws(SyncError) {
    do throws(IdentityError) {
      try sharing { rows throws(IdentityError) in
        try rows.checkSynchronizationRole(
          configuration.roleARN, ofPool: configuration.poolID, account: account)
      }
    } catch {
      switch error {
      case .roleUnknown, .roleRefused, .roleUnusable:
        throw .parameterRefused("RoleArn", rule: error.ofPublishingRole)
      default: throw .identity(error)
      }
    }
  }
}
