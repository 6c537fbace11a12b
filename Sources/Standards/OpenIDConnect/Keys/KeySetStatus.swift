internal import Synchronization

extension RemoteKeySet {
  /// The status of the set.
  enum Status {
    /// Usable keys are cached.
    case cached
    /// The first fetch has not ended.
    case fetching
    /// The last fetch failed, and no usable keys are cached.
    case failed(FetchError, mayRetry: Bool)
    /// The cached keys may no longer be used, and no fetch has been made since.
    case expired
  }

  var status: Status {
    state.withLock { state in
      let now = state.time.advance(to: clock())
      if state.keySet.usable(at: now) != nil { return .cached }
      guard state.flight == nil else { return .fetching }
      if let error = state.keySet.lastError {
        return .failed(error, mayRetry: state.keySet.mayFetch(at: now))
      }
      return state.keySet.keys == nil ? .fetching : .expired
    }
  }
}
