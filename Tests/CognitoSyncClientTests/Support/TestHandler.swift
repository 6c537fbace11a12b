internal import CognitoSyncClient
internal import Synchronization
internal import TokenSecurityBase

/// Answers as a test says, and records what it was asked.
final class TestHandler: SyncHandler {
  private let state: Mutex<State>

  private struct State {
    var conflicts: [RecordConflict] = []
    var deletions: [String] = []
    var merges: [[String]] = []
    var updated: [[DatasetRecord]] = []
    var failures: [SyncClientError] = []
  }

  private let resolution: @Sendable (RecordConflict) async -> ConflictResolution
  private let deletion: DeletionResponse
  private let goesOn: Bool

  init(
    deletion: DeletionResponse = .purge, goesOn: Bool = true,
    resolution: @escaping @Sendable (RecordConflict) async -> ConflictResolution = { $0.latest }
  ) {
    state = Mutex(State())
    self.deletion = deletion
    self.goesOn = goesOn
    self.resolution = resolution
  }

  var conflicts: [RecordConflict] { state.withLock { $0.conflicts } }
  var deletions: [String] { state.withLock { $0.deletions } }
  var merges: [[String]] { state.withLock { $0.merges } }
  /// The keys that were taken, for each success.
  var updated: [[String]] { state.withLock { $0.updated.map { $0.map(\.key).sorted() } } }
  var failures: [SyncClientError.Code] { state.withLock { $0.failures.map(\.code) } }

  func onConflict(_ conflict: RecordConflict, in dataset: String) async -> ConflictResolution {
    state.withLock { $0.conflicts.append(conflict) }
    return await resolution(conflict)
  }

  func onDatasetDeleted(_ dataset: String) async -> DeletionResponse {
    state.withLock { $0.deletions.append(dataset) }
    return deletion
  }

  func onDatasetsMerged(_ names: [String], into dataset: String) async -> Bool {
    state.withLock { $0.merges.append(names) }
    return goesOn
  }

  func onSuccess(_ dataset: String, updated: [DatasetRecord]) async {
    state.withLock { $0.updated.append(updated) }
  }

  func onFailure(_ dataset: String, _ error: SyncClientError) async {
    state.withLock { $0.failures.append(error) }
  }
}
