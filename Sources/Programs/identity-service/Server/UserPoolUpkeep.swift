internal import CognitoUserPool
internal import Logging
internal import Metrics
internal import Records
internal import ServiceHosting
internal import ServiceLifecycle
internal import TokenLifetime

/// Removes rows of removed user pools, also those that an earlier process left, and rows whose time has passed.
struct UserPoolUpkeep: Service {
  let service: UserPoolService
  let logger: Logger
  private let removal = PacedRemoval()
  /// Each step is tried again after some seconds.
  private let failures = ReportLimit(interval: .seconds(60))

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        await perform("rows of removed user pools could not be removed") { () throws(UserPoolError) in
          try await service.continueRemovals()
        }
        await perform("rows that have ended could not be removed") { () throws(UserPoolError) in
          try await service.removeEndedRows()
        }
        await measure()
        try? await Task.sleep(for: .seconds(5))
      }
    }
  }

  private func measure() async {
    for medium in DeliveryMedium.allCases {
      guard let count = try? await service.waitingMessages(medium) else { continue }
      Gauge(label: "identity_outbox_messages", dimensions: [("medium", medium.name)]).record(count)
    }
  }

  /// Repeats a step while something may be left, with pauses for calls.
  private func perform(_ failure: String, _ step: () async throws(UserPoolError) -> Bool) async {
    do throws(UserPoolError) {
      try await removal.run(step)
    } catch {
      guard let before = failures.report("\(failure): \(error.codeText)") else { return }
      logger.log(
        .error, "\(failure)",
        with: [("code", error.codeText), ("reason", "\(error)"), ("before", "\(before)")])
    }
  }
}
