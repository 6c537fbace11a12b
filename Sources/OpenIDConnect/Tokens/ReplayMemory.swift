public import JOSE
internal import Synchronization

/// What has been used, remembered until it could not be used anyway: for tokens and proofs that count once. It
/// serves one process; several need a store that they share.
public final class ReplayMemory: Sendable {
  /// The most names that are remembered. When they are all still alive, nothing new is admitted: forgetting one
  /// would let it be used again.
  public let capacity: Int

  private struct State {
    var names: [String: NumericDate] = [:]
    /// The earliest end among the names when they were last gone through: before it there is nothing to forget.
    var firstEnd: NumericDate?
  }

  private let state = Mutex(State())

  /// A memory for so many names; 100,000 unless said otherwise.
  public init(capacity: Int = 100_000) { self.capacity = capacity }

  /// Remembers `name` until `end`; false where it is remembered already, or where there is no room.
  public func admit(_ name: String, until end: NumericDate, at now: NumericDate = .now) -> Bool {
    state.withLock { state in
      if let known = state.names[name], now <= known { return false }
      // Going through all names is not for each caller to pay while the memory is full.
      if state.names.count >= capacity, state.firstEnd.map({ $0 < now }) ?? true {
        state.names = state.names.filter { now <= $0.value }
        state.firstEnd = state.names.values.min()
      }
      guard state.names.count < capacity || state.names[name] != nil else { return false }
      state.names[name] = end
      state.firstEnd = state.firstEnd.map { min($0, end) }
      return true
    }
  }
}
