internal import JOSE

/// Entries in the order in which they expire: a binary heap. Insertion and removal take O(log n).
struct ExpiryQueue<Key> {
  private var entries: [(key: Key, end: NumericDate)] = []

  /// An empty queue.
  init() {}

  /// A queue of `entries`.
  init(_ entries: [(Key, NumericDate)]) {
    self.entries = entries.map { (key: $0.0, end: $0.1) }.sorted { $0.end < $1.end }
  }

  /// The number of entries.
  var count: Int { entries.count }

  /// The entry that expires first.
  var first: (key: Key, end: NumericDate)? { entries.first }

  /// Adds an entry.
  mutating func insert(_ key: Key, _ end: NumericDate) {
    entries.append((key, end))
    var place = entries.count - 1
    while place > 0, entries[place].end < entries[(place - 1) / 2].end {
      entries.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  /// Removes the entry that expires first, and returns it.
  mutating func removeFirst() -> (key: Key, end: NumericDate)? {
    guard let first = entries.first, let last = entries.popLast() else { return nil }
    guard !entries.isEmpty else { return first }
    entries[0] = last
    var place = 0
    while true {
      var smallest = place
      for child in [2 * place + 1, 2 * place + 2]
      where child < entries.count && entries[child].end < entries[smallest].end {
        smallest = child
      }
      guard smallest != place else { return first }
      entries.swapAt(place, smallest)
      place = smallest
    }
  }
}
