internal import Synchronization

/// The ids of calls: 16 hexadecimal digits, as good as random.
///
/// They are keyed hashes of a counter. A random number for each call would be a system call for each.
final class RequestIDs: Sendable {
  private let seed: (UInt64, UInt64)
  private let count = Atomic<UInt64>(0)

  init() {
    var generator = SystemRandomNumberGenerator()
    seed = (generator.next(), generator.next())
  }

  func next() -> String {
    // The hasher's own key is as random, but a setting for debugging makes it constant.
    var hasher = Hasher()
    hasher.combine(seed.0)
    hasher.combine(seed.1)
    hasher.combine(count.wrappingAdd(1, ordering: .relaxed).newValue)
    let text = String(UInt64(truncatingIfNeeded: hasher.finalize()), radix: 16)
    return String(repeating: "0", count: 16 - text.utf8.count) + text
  }
}
