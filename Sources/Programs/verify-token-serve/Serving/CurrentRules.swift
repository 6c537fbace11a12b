internal import OpenIDConnect
internal import Synchronization

/// The rules of a configuration.
struct SidecarRules: Sendable {
  let tokens: RequestAuthorizer
  let signed: SignedRequests
}

/// The rules that are in force, whose keys are kept fresh. They are replaced as a whole.
final class CurrentRules: Sendable {
  private struct State {
    var rules: SidecarRules
    var isReady = false
    /// Fetches keys and keeps them fresh.
    var refresh: Task<Void, Never>?
    var number = 0
  }

  private let state: Mutex<State>
  /// The pause between tries to fetch keys at the start.
  private static let pause = Duration.seconds(2)

  init(_ rules: SidecarRules) { state = Mutex(State(rules: rules)) }

  var current: SidecarRules { state.withLock { $0.rules } }
  /// Whether all keys of these rules were fetched once.
  var isReady: Bool { state.withLock { $0.isReady } }

  /// Begins to fetch keys.
  func begin() { state.withLock { start(&$0) } }

  /// Uses other rules from now on. Requests that are being decided end by the former ones.
  ///
  /// - Parameter make: makes the rules from those that are in force.
  /// - Throws: the error of `make`; the rules stay as they are.
  func replace(
    by make: (SidecarRules) throws(StartError) -> SidecarRules
  ) throws(StartError) {
    let made = try make(current)
    state.withLock { state in
      state.rules = made
      state.isReady = state.isReady && made.tokens.keepsAllKeys
      start(&state)
    }
  }

  /// Fetches keys and keeps them fresh, each issuer's whether or not another's can be fetched.
  private func start(_ state: inout State) {
    state.refresh?.cancel()
    state.number += 1
    let (authorizer, number) = (state.rules.tokens, state.number)
    state.refresh = Task { [weak self] in
      async let freshness: Void = authorizer.keepFresh()
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
      await freshness
    }
  }

  func end() { state.withLock { $0.refresh }?.cancel() }

  private func noteReady(_ number: Int) {
    state.withLock { state in if state.number == number { state.isReady = true } }
  }
}
