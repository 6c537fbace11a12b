internal import CognitoIdentity
internal import Logging
internal import ServiceLifecycle
internal import TokenLifetime
internal import ServiceHosting

/// Maintains the signing keys every five seconds.
struct KeyMaintenance: Service {
  let keys: IdentityKeyRing
  let logger: Logger
  /// Each step is tried again after some seconds.
  private let failures = ReportLimit(interval: .seconds(60))

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        try? await Task.sleep(for: .seconds(5))
        guard !Task.isCancelled else { return }
        do throws(IdentityError) {
          let changes = try await keys.maintain()
          if !changes.astray.isEmpty {
            logger.log(
              .warning, "removed signing keys that were made while the clock was ahead",
              with: [("keys", "\(changes.astray)")])
          }
          if changes != KeyChanges() {
            logger.log(.notice, "signing keys changed", with: [("keys", "\(keys.schedule.map(\.keyID))")])
          }
        } catch {
          guard !Task.isCancelled else { return }
          guard let before = failures.report(error.codeText) else { continue }
          logger.log(
            .error, "signing keys could not be maintained",
            with: [("code", error.codeText), ("reason", "\(error)"), ("before", "\(before)")])
        }
      }
    }
  }
}
