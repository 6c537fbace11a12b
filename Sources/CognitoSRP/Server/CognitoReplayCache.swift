public import SecureRemotePassword
internal import Synchronization
internal import TokenSecurityCrypto

/// Refuses a secret block that was redeemed before: a ``CognitoReplayCache`` for one process, or a store that
/// several processes share.
public protocol CognitoReplayGuard: Sendable {
  /// Stores a block's id.
  ///
  /// - Parameters:
  ///   - id: the id of a challenge.
  ///   - end: the last second in which the block can be redeemed. The id is stored up to and including that
  ///     second.
  ///   - now: the current time.
  /// - Returns: true for a new id; false for one that is stored already, or if the guard cannot be sure.
  func insert(_ id: [UInt8], until end: Timestamp, at now: Timestamp) async -> Bool
}

/// The redeemed blocks, in one process's memory.
///
/// A full cache, or a clock that was ahead, never accepts a block twice: after an entry is removed, all
/// blocks that end in the same second are refused. Neither of them refuses the sign-ins that follow.
public final class CognitoReplayCache: CognitoReplayGuard {
  /// The most entries, about 250 bytes each for an id of any length.
  ///
  /// When all of them are valid, the entry that ends first is removed, and other blocks that end in that
  /// second are refused.
  public let capacity: Int

  private struct State {
    var blocks = ExpiringTable<Void>()
    /// Blocks with these ends are refused.
    var removedEnds = RemovedEnds()
  }

  private let state = Mutex(State())

  /// Creates an empty cache.
  ///
  /// - Parameter capacity: the most entries, at least one. Default: 100,000.
  public init(capacity: Int = 100_000) { self.capacity = max(1, capacity) }

  /// Stores a block's id. Also refuses an id with the same end as a removed one.
  public func insert(_ id: [UInt8], until end: Timestamp, at now: Timestamp = .now) -> Bool {
    guard let key = try? DigestKey(DigestAlgorithm.sha256(of: id.span)) else { return false }
    return state.withLock { state in
      for end in state.blocks.removeExpired(at: now.seconds) { state.removedEnds.insert(end) }
      guard !state.removedEnds.contains(end.seconds), state.blocks[key] == nil else { return false }
      state.blocks.insert(key, until: end.seconds, ())
      if state.blocks.count > capacity, let first = state.blocks.removeFirst() {
        state.removedEnds.insert(first.end)
      }
      return true
    }
  }

  /// The number of entries.
  public var count: Int { state.withLock { $0.blocks.count } }
}

/// The ends of removed entries, as a few ranges of seconds.
///
/// When there are too many ranges, the two closest become one that includes the instants between them. So the
/// ends of entries stored while the clock was far ahead stay apart from those of the present.
struct RemovedEnds: Sendable {
  /// The most ranges.
  static let limit = 32

  /// In ascending order, with at least one second between two ranges.
  private(set) var ranges: [ClosedRange<Int64>] = []

  func contains(_ end: Int64) -> Bool { ranges.contains { $0.contains(end) } }

  mutating func insert(_ end: Int64) {
    guard !contains(end) else { return }
    let place = ranges.firstIndex { $0.lowerBound > end } ?? ranges.count
    ranges.insert(end...end, at: place)
    if place + 1 < ranges.count, gap(after: place) == 0 { merge(place) }
    if place > 0, gap(after: place - 1) == 0 { merge(place - 1) }
    guard ranges.count > Self.limit else { return }
    let closest = (0..<(ranges.count - 1)).min { gap(after: $0) < gap(after: $1) }
    if let closest { merge(closest) }
  }

  /// The seconds between a range and the next one.
  private func gap(after place: Int) -> UInt64 {
    UInt64(bitPattern: ranges[place + 1].lowerBound &- ranges[place].upperBound) &- 1
  }

  private mutating func merge(_ place: Int) {
    let next = ranges.remove(at: place + 1)
    ranges[place] = ranges[place].lowerBound...next.upperBound
  }
}
