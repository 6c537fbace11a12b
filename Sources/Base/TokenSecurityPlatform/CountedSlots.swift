internal import Synchronization

/// The slots for what may happen a number of times at a time: in all, and for each key, so that one key cannot take the
/// slots of all others.
package final class CountedSlots<Key: Hashable & Sendable>: Sendable {
  private struct State {
    var taken = 0
    /// Of keys that have some.
    var byKey: [Key: Int] = [:]
  }

  /// The slots in all.
  package let total: Int
  /// The slots of a key.
  package let ofKey: Int
  private let state = Mutex(State())

  /// Makes slots, which are all free.
  ///
  /// - Parameters:
  ///   - total: the slots in all.
  ///   - ofKey: the most slots of a key. Default: all.
  package init(_ total: Int, ofKey: Int? = nil) {
    self.total = total
    self.ofKey = min(total, ofKey ?? total)
  }

  /// The limit that is reached.
  package enum Full: Error, Equatable {
    /// All slots are taken.
    case total(Int)
    /// The key has as many as it may have.
    case ofKey(Int)

    /// The number of slots that are taken.
    package var limit: Int {
      switch self {
      case .total(let limit), .ofKey(let limit): limit
      }
    }
  }

  /// Takes a slot, which ``give(_:)`` gives back.
  ///
  /// - Throws: `Full` where none is free.
  package func take(_ key: Key) throws(Full) {
    let full = state.withLock { state -> Full? in
      guard state.taken < total else { return .total(total) }
      let count = state.byKey[key, default: 0]
      guard count < ofKey else { return .ofKey(ofKey) }
      state.taken += 1
      state.byKey[key] = count + 1
      return nil
    }
    if let full { throw full }
  }

  /// Gives a slot back that ``take(_:)`` has taken.
  package func give(_ key: Key) {
    state.withLock { state in
      guard let count = state.byKey[key] else { return }
      state.taken -= 1
      state.byKey[key] = count > 1 ? count - 1 : nil
    }
  }

  /// The free slots, those that each key has taken included.
  package var free: FreeSlots<Key> {
    state.withLock { FreeSlots(total: total - $0.taken, ofKey: ofKey, taken: $0.byKey) }
  }

  /// A slot that is given back when its last reference goes.
  package final class Slot: Sendable {
    private let slots: CountedSlots
    private let key: Key

    fileprivate init(_ slots: CountedSlots, _ key: Key) {
      self.slots = slots
      self.key = key
    }

    deinit { slots.give(key) }
  }

  /// Takes a slot for as long as the result is referred to.
  ///
  /// - Throws: `Full` where none is free.
  package func taken(for key: Key) throws(Full) -> Slot {
    try take(key)
    return Slot(self, key)
  }

  /// Takes a slot for as long as the result is referred to. Nil where none is free.
  package func slot(for key: Key) -> Slot? {
    do throws(Full) { return try taken(for: key) } catch { return nil }
  }
}

/// The free slots of one moment, for choosing what may begin.
package struct FreeSlots<Key: Hashable & Sendable>: Sendable {
  /// The free slots in all.
  package private(set) var total: Int
  private let ofKey: Int
  private var taken: [Key: Int]

  fileprivate init(total: Int, ofKey: Int, taken: [Key: Int]) {
    self.total = total
    self.ofKey = ofKey
    self.taken = taken
  }

  /// Makes a number of slots, as many as are there for each key too.
  package init(_ total: Int) { self.init(total: total, ofKey: total, taken: [:]) }

  /// Returns whether a slot is free for a key.
  package func has(_ key: Key) -> Bool { total > 0 && taken[key, default: 0] < ofKey }

  /// Uses a slot. Nothing happens where none is free.
  package mutating func use(_ key: Key) {
    guard has(key) else { return }
    total -= 1
    taken[key, default: 0] += 1
  }
}
