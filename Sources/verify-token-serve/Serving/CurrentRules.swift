internal import RequestAuthorization
internal import Synchronization

/// The rules that are in force, whose keys are kept fresh. They are replaced as a whole.
final class CurrentRules: Sendable {
  private struct State {
    var authorizer: RequestAuthorizer
    var isReady = false
    /// Fetches keys and keeps them fresh.
    var refresh: Task<Void, Never>?
    var number = 0
  }

  private let state: Mutex<State>
  /// The pause between tries to fetch keys at the start.
  private static let pause = Duration.seconds(2)

  init(_ authorizer: RequestAuthorizer) { state = Mutex(State(authorizer: authorizer)) }

  var authorizer: RequestAuthorizer { state.withLock { $0.authorizer } }
  /// Whether the keys of all issuers were fetched once.
  var isReady: Bool { state.withLock { $0.isReady } }

  /// Begins to fetch keys.
  func begin() { replace(by: authorizer) }

  /// Uses other rules from now on. Requests that are being decided end by the former ones.
  func replace(by authorizer: RequestAuthorizer) {
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    let refresh = Task { [weak self] in
      while !Task.isCancelled {
        do throws(PolicyDocumentError) {
          try await authorizer.prefetch()
          self?.noteReady(number)
          break
        } catch {
          // The logger of the keys has the reason.
          try? await Task.sleep(for: Self.pause)
        }
      }
      await authorizer.keepFresh()
    }
    let former = state.withLock { state in
      defer {
        state.authorizer = authorizer
        state.refresh = refresh
      }
      return state.refresh
    }
    former?.cancel()
  }

  func end() { state.withLock { $0.refresh }?.cancel() }

  private func noteReady(_ number: Int) {
    state.withLock { state in if state.number == number { state.isReady = true } }
  }
}
