internal import CognitoSync
internal import Logging
internal import ServiceLifecycle

/// Removes the records of data sets that were deleted, also those that an earlier process did not remove, and old rows of
/// push messages and endpoints. What fails does not keep the other from being removed.
struct DatasetUpkeep: Service {
  let service: SyncService
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        await perform("records of deleted data sets could not be removed") { () throws(SyncError) in
          while try await service.continueRemovals(), !Task.isCancelled {}
        }
        await perform("old push messages could not be removed") { () throws(SyncError) in
          try await service.removeOldMessages()
        }
        try? await Task.sleep(for: .seconds(5))
      }
    }
  }

  private func perform(_ failure: String, _ step: () async throws(SyncError) -> Void) async {
    do throws(SyncError) { try await step() } catch {
      logger.log(.error, "\(failure)", with: [("code", error.codeText), ("reason", "\(error)")])
    }
  }
}
