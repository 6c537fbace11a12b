/// What a ``ReplayCache`` remembers. All instants are seconds since 1970, from 0 to the end of the year 9999.
struct ReplayEntries: Sendable {
  /// A SHA-256 digest.
  struct Name: Hashable, Sendable {
    private let a: UInt64
    private let b: UInt64
    private let c: UInt64
    private let d: UInt64

    init(_ digest: InlineArray<32, UInt8>) {
      func word(_ start: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in start..<start + 8 { value = value << 8 | UInt64(digest[index]) }
        return value
      }
      (a, b, c, d) = (word(0), word(8), word(16), word(24))
    }
  }

  private var ends: [Name: Int64] = [:]
  private var queue = EndQueue()
  private var clock = LowestReading()
  /// No entry ends later.
  private var latestEnd: Int64 = 0
  /// The longest time for which an admitted request was still valid.
  private var longestSpan: Int64 = 0

  /// How many expired entries one admission releases at most.
  private static let releases = 2

  var count: Int { ends.count }

  mutating func admit(_ name: Name, until end: Int64, at now: Int64, capacity: Int) -> Bool {
    let lowest = clock.read(now)
    if let known = ends[name], now <= known { return false }
    longestSpan = max(longestSpan, end - now)
    // Readings are whole seconds, and `now` may be one second behind the readings of others.
    release(before: ends.count < capacity ? lowest - 1 : now)
    if ends.count >= capacity { releaseFarAhead(now) }
    guard ends.count < capacity || ends[name] != nil else { return false }
    ends[name] = end
    latestEnd = max(latestEnd, end)
    queue.insert(end, name)
    // Names that were admitted again after their end leave old places in the queue.
    if queue.count / 2 > capacity { queue = EndQueue(ends) }
    return true
  }

  /// Releases a few of the entries that ended before `instant`.
  private mutating func release(before instant: Int64) {
    for _ in 0..<Self.releases {
      guard let first = queue.first, first.end < instant else { return }
      queue.removeFirst()
      if ends[first.name] == first.end { ends[first.name] = nil }
    }
  }

  /// Releases the entries of a time that the clock has left: a request that ends so much later is refused for its date.
  ///
  /// This walks through all entries, once for each time that the clock goes back that far.
  private mutating func releaseFarAhead(_ now: Int64) {
    let farthest = now + 2 * longestSpan
    guard latestEnd > farthest else { return }
    ends = ends.filter { $0.value <= farthest }
    latestEnd = ends.values.max() ?? 0
    queue = EndQueue(ends)
  }
}

/// Entries in the order of their ends: a binary heap.
struct EndQueue: Sendable {
  typealias Element = (end: Int64, name: ReplayEntries.Name)
  private var heap: [Element] = []

  init() {}

  init(_ ends: [ReplayEntries.Name: Int64]) {
    // A sorted array is a heap.
    heap = ends.map { (end: $0.value, name: $0.key) }.sorted { $0.end < $1.end }
  }

  var count: Int { heap.count }

  /// The entry that ends first.
  var first: Element? { heap.first }

  mutating func insert(_ end: Int64, _ name: ReplayEntries.Name) {
    heap.append((end, name))
    var place = heap.count - 1
    while place > 0, heap[place].end < heap[(place - 1) / 2].end {
      heap.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  mutating func removeFirst() {
    guard let last = heap.popLast(), !heap.isEmpty else { return }
    heap[0] = last
    var place = 0
    while 2 * place + 1 < heap.count {
      var child = 2 * place + 1
      if child + 1 < heap.count, heap[child + 1].end < heap[child].end { child += 1 }
      guard heap[child].end < heap[place].end else { return }
      heap.swapAt(place, child)
      place = child
    }
  }
}

/// The lowest of the last readings of a clock, 1,024 to 2,048 of them: a clock that is ahead for a moment does not move
/// it.
struct LowestReading: Sendable {
  static let readings = 1_024

  private var previous: Int64 = 0
  private var current: Int64 = .max
  private var count = 0

  /// Takes a reading, and gives the lowest; 0 before there are enough of them.
  mutating func read(_ now: Int64) -> Int64 {
    current = min(current, now)
    count += 1
    let lowest = min(previous, current)
    if count == Self.readings {
      previous = current
      current = .max
      count = 0
    }
    return lowest
  }
}
