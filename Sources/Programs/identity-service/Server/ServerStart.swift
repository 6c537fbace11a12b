internal import Synchronization

/// Runs the start's last step and keeps its error.
final class ServerStart: Sendable {
  private let state = Mutex<(error: (any Error)?, onFailure: (@Sendable () async -> Void)?)>((nil, nil))

  var error: (any Error)? { state.withLock { $0.error } }

  var onFailure: (@Sendable () async -> Void)? {
    get { state.withLock { $0.onFailure } }
    set { state.withLock { $0.onFailure = newValue } }
  }

  func perform(_ body: () async throws -> Void) async {
    do {
      try await body()
    } catch {
      state.withLock { $0.error = error }
      await onFailure?()
    }
  }
}
