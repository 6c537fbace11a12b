internal import SecureRemotePassword
internal import TokenSecurityCrypto

/// The SHA-256 of an id: 32 bytes, however long the id is.
struct IDDigest: Sendable, Hashable {
  private let first: UInt64
  private let second: UInt64
  private let third: UInt64
  private let fourth: UInt64

  init(_ id: [UInt8]) throws(SRPError) {
    let digest = try SRPError.of { () throws(CryptoError) in try DigestAlgorithm.sha256.hash(id.span) }
    func word(_ index: Int) -> UInt64 {
      digest[(8 * index)..<(8 * index + 8)].reduce(0) { $0 << 8 | UInt64($1) }
    }
    first = word(0)
    second = word(1)
    third = word(2)
    fourth = word(3)
  }
}

/// Values that end: a dictionary and a binary heap, ordered by rank, and entries of one rank by age.
///
/// Insertion, removal and look-up take logarithmic time, and nothing goes through all entries.
struct ExpiringTable<Value: Sendable>: Sendable {
  /// A value with its id and its end.
  struct Entry: Sendable {
    let id: IDDigest
    let end: Int64
    let rank: Int64
    let order: UInt64
    let value: Value

    func precedes(_ other: Entry) -> Bool { (rank, order) < (other.rank, other.order) }
  }

  private var heap: [Entry] = []
  /// Where in the heap an id's entry is.
  private var places: [IDDigest: Int] = [:]
  private var order: UInt64 = 0

  var count: Int { heap.count }

  /// The entry of the lowest rank.
  var first: Entry? { heap.first }

  func contains(_ id: IDDigest) -> Bool { places[id] != nil }

  /// Adds an entry in place of one with the same id.
  mutating func insert(_ id: IDDigest, until end: Int64, rank: Int64, _ value: Value) {
    _ = remove(id)
    heap.append(Entry(id: id, end: end, rank: rank, order: order, value: value))
    order += 1
    places[id] = heap.count - 1
    raise(heap.count - 1)
  }

  /// Takes an entry out.
  mutating func remove(_ id: IDDigest) -> Entry? {
    guard let place = places.removeValue(forKey: id) else { return nil }
    let last = heap.count - 1
    let entry = heap[place]
    if place < last {
      heap[place] = heap[last]
      places[heap[place].id] = place
    }
    heap.removeLast()
    if place < last {
      raise(place)
      lower(place)
    }
    return entry
  }

  /// Takes out the entry of the lowest rank.
  mutating func removeFirst() -> Entry? { first.flatMap { remove($0.id) } }

  /// Takes out entries of the lowest rank that have ended at `now`, at most `limit`, and returns their ends.
  ///
  /// Called at each insertion, it makes the table shrink faster than it grows, and no caller waits for all entries.
  mutating func removeExpired(at now: Int64, limit: Int = 8) -> [Int64] {
    var ends: [Int64] = []
    while ends.count < limit, let first, first.end < now {
      ends.append(first.end)
      _ = remove(first.id)
    }
    return ends
  }

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
      for child in [2 * place + 1, 2 * place + 2]
      where child < heap.count && heap[child].precedes(heap[least]) { least = child }
      guard least != place else { return }
      swap(place, least)
      place = least
    }
  }

  private mutating func swap(_ left: Int, _ right: Int) {
    heap.swapAt(left, right)
    places[heap[left].id] = left
    places[heap[right].id] = right
  }
}
