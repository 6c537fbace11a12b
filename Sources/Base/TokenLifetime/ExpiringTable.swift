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
  private var indices: [DigestKey: Int] = [:]
  private var order: UInt64 = 0

  /// An empty table.
  package init() {}

  /// The number of entries.
  package var count: Int { heap.count }

  /// The entry that ends first, the oldest of these.
  package var first: Entry? { heap.first }

  /// The entry of a key, or nil.
  package subscript(_ key: DigestKey) -> Entry? { indices[key].map { heap[$0] } }

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
    indices[key] = heap.count - 1
    raise(heap.count - 1)
  }

  /// Removes and returns a key's entry.
  package mutating func remove(_ key: DigestKey) -> Entry? {
    guard let index = indices.removeValue(forKey: key) else { return nil }
    let last = heap.count - 1
    let entry = heap[index]
    if index < last {
      heap[index] = heap[last]
      indices[heap[index].key] = index
    }
    heap.removeLast()
    if index < last {
      raise(index)
      lower(index)
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
    indices.removeAll(keepingCapacity: true)
    for (index, entry) in heap.enumerated() { indices[entry.key] = index }
  }

  /// The latest end, or nil for an empty table. Takes linear time.
  package var latestEnd: Int64? { heap.lazy.map(\.end).max() }

  private mutating func raise(_ start: Int) {
    var index = start
    while index > 0 {
      let parent = (index - 1) / 2
      guard heap[index].precedes(heap[parent]) else { return }
      swap(index, parent)
      index = parent
    }
  }

  private mutating func lower(_ start: Int) {
    var index = start
    while true {
      var least = index
      for child in 2 * index + 1..<2 * index + 3
      where child < heap.count && heap[child].precedes(heap[least]) { least = child }
      guard least != index else { return }
      swap(index, least)
      index = least
    }
  }

  private mutating func swap(_ left: Int, _ right: Int) {
    heap.swapAt(left, right)
    indices[heap[left].key] = left
    indices[heap[right].key] = right
  }
}
