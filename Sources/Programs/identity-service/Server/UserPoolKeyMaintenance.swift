internal import CognitoIdentity
internal import CognitoUserPool
internal import Logging
internal import ServiceLifecycle
internal import TokenLifetime
internal import ServiceHosting

/// Maintains the signing keys of user pools every five seconds.
struct UserPoolKeyMaintenance: Service {
  let service: UserPoolService
  let logger: Logger
  /// Each step is tried again after some seconds.
  private let failures = ReportLimit(interval: .seconds(60))

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        do throws(UserPoolError) {
          while !Task.isCancelled {
            let step = try await service.maintenance.maintainKeys()
            report(step)
            if step.isComplete { break }
          }
        } catch {
          report(error, pool: "")
        }
        try? await Task.sleep(for: .seconds(5))
      }
    }
  }

  private func report(_ step: KeyMaintenanceStep) {
    for (pool, changes) in step.changes {
      if !changes.astray.isEmpty {
        logger.log(
          .warning, "removed signing keys of a user pool that were made while the clock was ahead",
          with: [("pool", pool), ("keys", "\(changes.astray)")])
      }
      logger.log(.notice, "signing keys of a user pool changed", with: [("pool", pool)])
    }
    if let (pool, error) = step.failure { report(error, pool: pool) }
  }

  private func report(_ error: UserPoolError, pool: String) {
    // A shutdown ends the making of a key.
    guard !Task.isCancelled, let before = failures.report("\(pool): \(error.codeText)") else { return }
    logger.log(
      .error, "signing keys of user pools could not be maintained",
      with: [
        ("pool", pool), ("code", error.codeText), ("reason", "\(error)"), ("before", "\(before)"),
      ])
  }
}
