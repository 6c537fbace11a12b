public import JOSE
internal import Synchronization

/// What has been used, remembered until it could not be used anyway: for tokens and proofs that count once. It
/// serves one process; several need a store that they share.
public final class ReplayMemory: Sendable {
  /// The most names that are remembered. When they are all still alive, nothing new is admitted: forgetting one
  /// would let it be used again.
  public let capacity: Int

  private let names: Mutex<[String: NumericDate]>

  /// A memory for so many names; 100,000 unless said otherwise.
  public init(capacity: Int = 100_000) {
    self.capacity = capacity
    names = Mutex([:])
  }

  /// Remembers `name` until `end`; false where it is remembered already, or where there is no room.
  public func admit(_ name: String, until end: NumericDate, at now: NumericDate = .now) -> Bool {
    names.withLock { names in
      if let known = names[name], now <= known { return false }
      if names.count >= capacity { names = names.filter { now <= $0.value } }
      guard names.count < capacity else { return false }
      names[name] = end
      return true
    }
  }
}
