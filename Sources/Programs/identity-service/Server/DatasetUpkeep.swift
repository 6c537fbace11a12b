internal import CognitoSync
internal import Logging
internal import Records
internal import ServiceHosting
internal import ServiceLifecycle
internal import TokenLifetime

/// Removes the records of data sets that were deleted, also those that an earlier process did not remove, and old rows of
/// push messages and endpoints. What fails does not keep the other from being removed.
struct DatasetUpkeep: Service {
  let service: SyncService
  let logger: Logger
  private let removal = PacedRemoval()
  /// Each step is tried again after some seconds.
  private let failures = ReportLimit(interval: .seconds(60))

  func run() async throws {
    await cancelWhenGracefulShutdown {
      var round = 0
      while !Task.isCancelled {
        await perform("records of deleted data sets could not be removed") { () throws(SyncError) in
          try await service.continueRemovals()
        }
        // It begins a transaction that writes, and nothing waits for it.
        if round % 12 == 0 {
          await perform("old push messages could not be removed") { () throws(SyncError) in
            try await service.removeOldMessages()
          }
        }
        round = (round + 1) % 12
        try? await Task.sleep(for: .seconds(5))
      }
    }
  }

  /// Repeats a step while something may be left, with pauses for calls.
  private func perform(_ failure: String, _ step: () async throws(SyncError) -> Bool) async {
    do throws(SyncError) { try await removal.run(step) } catch {
      guard let before = failures.report("\(failure): \(error.codeText)") else { return }
      logger.log(
        .error, "\(failure)",
        with: [("code", error.codeText), ("reason", "\(error)"), ("before", "\(before)")])
    }
  }
}
