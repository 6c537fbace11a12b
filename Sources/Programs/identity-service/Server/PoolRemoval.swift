internal import CognitoIdentity
internal import Logging
internal import Records
internal import ServiceHosting
internal import ServiceLifecycle
internal import TokenLifetime

/// Removes the identities of pools that were removed, also those that an earlier process did not remove.
struct PoolRemoval: Service {
  let service: IdentityPoolService
  let logger: Logger
  private let removal = PacedRemoval()
  /// Each step is tried again after some seconds.
  private let failures = ReportLimit(interval: .seconds(60))

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do throws(IdentityError) {
          try await removal.run { () throws(IdentityError) in try await service.continueRemovals() }
        } catch {
          if let before = failures.report(error.codeText) {
            logger.log(
              .error, "identities of removed pools could not be removed",
              with: [("code", error.codeText), ("reason", "\(error)"), ("before", "\(before)")])
          }
        }
        try? await Task.sleep(for: .seconds(5))
      }
    }
  }
}
