/// Values with an end: a dictionary and a binary heap, ordered by end, and by age within an end.
///
/// Insertion, look-up and removal of one entry take logarithmic time. The table has no bound: its owner
/// removes entries at its capacity. Ends are seconds since 1970. An entry takes about 200 bytes and its
/// value.
package struct ExpiringTable<Value: Sendable>: Sendable {
  /// A value with its key and its end.
  package struct Entry: Sendable {
    /// The digest that names the value.
    package let key: DigestKey
    /// The last second in which the entry counts.
    package let end: Int64
    /// The value.
    package let value: Value
    fileprivate let order: UInt64

    fileprivate func precedes(_ other: Entry) -> Bool { (end, order) < (other.end, other.order) }
  }

  private var heap: [Entry] = []
  /// The index in the heap of each key's entry.
  private var places: [DigestKey: Int] = [:]
  private var order: UInt64 = 0

  /// An empty table.
  package init() {}

  /// The number of entries.
  package var count: Int { heap.count }

  /// The entry that ends first, the oldest of these.
  package var first: Entry? { heap.first }

  /// The entry of a key, or nil.
  package subscript(_ key: DigestKey) -> Entry? { places[key].map { heap[$0] } }

  /// Adds an entry, and removes one with the same key.
  ///
  /// - Parameters:
  ///   - key: the entry's key.
  ///   - end: the last second in which the entry counts.
  ///   - value: the value.
  package mutating func insert(_ key: DigestKey, until end: Int64, _ value: Value) {
    _ = remove(key)
    heap.append(Entry(key: key, end: end, value: value, order: order))
    order += 1
    places[key] = heap.count - 1
    raise(heap.count - 1)
  }

  /// Removes and returns a key's entry.
  package mutating func remove(_ key: DigestKey) -> Entry? {
    guard let place = places.removeValue(forKey: key) else { return nil }
    let last = heap.count - 1
    let entry = heap[place]
    if place < last {
      heap[place] = heap[last]
      places[heap[place].key] = place
    }
    heap.removeLast()
    if place < last {
      raise(place)
      lower(place)
    }
    return entry
  }

  /// Removes the entries that end first while these ended before `now`.
  ///
  /// With a limit above 1 at each insertion, expired entries go faster than new ones come, and no call walks
  /// through all entries.
  ///
  /// - Parameters:
  ///   - now: the present second. An entry that ends in it stays.
  ///   - limit: the maximum number of entries to remove.
  package mutating func removeExpired(at now: Int64, limit: Int) {
    var removed = 0
    while removed < limit, let first, first.end < now {
      _ = remove(first.key)
      removed += 1
    }
  }

  /// Removes all entries that end after `instant`. Takes linear time, and sorts the others.
  package mutating func removeAll(after instant: Int64) {
    heap.removeAll { $0.end > instant }
    heap.sort { $0.precedes($1) }
    places.removeAll(keepingCapacity: true)
    for (place, entry) in heap.enumerated() { places[entry.key] = place }
  }

  /// The latest end, or nil for an empty table. Takes linear time.
  package var latestEnd: Int64? { heap.lazy.map(\.end).max() }

  private mutating func raise(_ start: Int) {
    var place = start
    while place > 0 {
      let parent = (place - 1) / 2
      guard heap[place].precedes(heap[parent]) else { return }
      swap(place, parent)
      place = parent
    }
  }

  private mutating func lower(_ start: Int) {
    var place = start
    while true {
      var least = place
      for child in 2 * place + 1..<2 * place + 3
      where child < heap.count && heap[child].precedes(heap[least]) { least = child }
      guard least != place else { return }
      swap(place, least)
      place = least
    }
  }

  private mutating func swap(_ left: Int, _ right: Int) {
    heap.swapAt(left, right)
    places[heap[left].key] = left
    places[heap[right].key] = right
  }
}
