internal import Synchronization
internal import TokenSecurityEncodings

/// The places for registrations that wait for the sender. A pool has fewer than there are, so that one whose sender
/// does not answer keeps no device of another pool out.
final class RegistrationPlaces: Sendable {
  private struct State {
    var count = 0
    /// Of pools that have some.
    var pools: [ExactString: Int] = [:]
  }

  private let limits: SyncLimits
  private let state = Mutex(State())

  init(_ limits: SyncLimits) { self.limits = limits }

  /// Takes a place. ``give(_:)`` gives it back.
  ///
  /// - Throws: `registrationsFull`.
  func take(_ poolID: String) throws(SyncError) {
    let (name, limits) = (ExactString(poolID), limits)
    let limit = state.withLock { state -> Int? in
      guard state.count < limits.registrations else { return limits.registrations }
      guard state.pools[name, default: 0] < limits.poolRegistrations else { return limits.poolRegistrations }
      state.count += 1
      state.pools[name, default: 0] += 1
      return nil
    }
    if let limit { throw .registrationsFull(limit: limit) }
  }

  func give(_ poolID: String) {
    let name = ExactString(poolID)
    state.withLock { state in
      state.count -= 1
      let left = state.pools[name, default: 1] - 1
      state.pools[name] = left > 0 ? left : nil
    }
  }
}
