internal import Synchronization

/// The places for what may happen a number of times at a time: in all, and for each key, so that one key cannot take the
/// places of all others.
package final class CountedPlaces<Key: Hashable & Sendable>: Sendable {
  private struct State {
    var taken = 0
    /// Of keys that have some.
    var byKey: [Key: Int] = [:]
  }

  /// The places in all.
  package let total: Int
  /// The places of a key.
  package let ofKey: Int
  private let state = Mutex(State())

  /// Makes places, which are all free.
  ///
  /// - Parameters:
  ///   - total: the places in all.
  ///   - ofKey: the most places of a key. Default: all.
  package init(_ total: Int, ofKey: Int? = nil) {
    self.total = total
    self.ofKey = min(total, ofKey ?? total)
  }

  /// The limit that is reached.
  package enum Full: Error, Equatable {
    /// All places are taken.
    case total(Int)
    /// The key has as many as it may have.
    case ofKey(Int)

    /// The number of places that are taken.
    package var limit: Int {
      switch self {
      case .total(let limit), .ofKey(let limit): limit
      }
    }
  }

  /// Takes a place, which ``give(_:)`` gives back.
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

  /// Gives a place back that ``take(_:)`` has taken.
  package func give(_ key: Key) {
    state.withLock { state in
      guard let count = state.byKey[key] else { return }
      state.taken -= 1
      state.byKey[key] = count > 1 ? count - 1 : nil
    }
  }

  /// The free places, those that each key has taken included.
  package var free: FreePlaces<Key> {
    state.withLock { FreePlaces(total: total - $0.taken, ofKey: ofKey, taken: $0.byKey) }
  }

  /// A place that is given back when its last reference goes.
  package final class Place: Sendable {
    private let places: CountedPlaces
    private let key: Key

    fileprivate init(_ places: CountedPlaces, _ key: Key) {
      self.places = places
      self.key = key
    }

    deinit { places.give(key) }
  }

  /// Takes a place for as long as the result is referred to.
  ///
  /// - Throws: `Full` where none is free.
  package func taken(for key: Key) throws(Full) -> Place {
    try take(key)
    return Place(self, key)
  }

  /// Takes a place for as long as the result is referred to. Nil where none is free.
  package func place(for key: Key) -> Place? {
    do throws(Full) { return try taken(for: key) } catch { return nil }
  }
}

/// The free places of one moment, for choosing what may begin.
package struct FreePlaces<Key: Hashable & Sendable>: Sendable {
  /// The free places in all.
  package private(set) var total: Int
  private let ofKey: Int
  private var taken: [Key: Int]

  fileprivate init(total: Int, ofKey: Int, taken: [Key: Int]) {
    self.total = total
    self.ofKey = ofKey
    self.taken = taken
  }

  /// Makes a number of places, as many as are there for each key too.
  package init(_ total: Int) { self.init(total: total, ofKey: total, taken: [:]) }

  /// Returns whether a place is free for a key.
  package func has(_ key: Key) -> Bool { total > 0 && taken[key, default: 0] < ofKey }

  /// Uses a place. Nothing happens where none is free.
  package mutating func use(_ key: Key) {
    guard has(key) else { return }
    total -= 1
    taken[key, default: 0] += 1
  }
}
