internal import JOSE
internal import Synchronization
internal import TokenSecurityPlatform

extension RemoteKeySet {
  /// The cached keys that may be used, without a fetch; nil if there are none.
  ///
  /// For a child process after `fork`, in which no task runs. A thread that is gone may have had the lock at the fork, so
  /// that this does not wait for it.
  var storedKeys: PreparedKeys? {
    for _ in 0..<1_000 {
      let found = state.withLockIfAvailable { state -> CachedKeys? in
        state.keySet.usable(at: state.time.advance(to: clock()))
      }
      if let found { return found?.prepared }
      CurrentThread.yield()
    }
    return nil
  }
}
