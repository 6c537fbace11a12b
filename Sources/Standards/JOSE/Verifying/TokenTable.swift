/// Verified tokens by hash, bounded. Its owner lets one thread use it at a time.
///
/// A full table replaces tokens in turn: those that have expired, and those that were not found again since
/// their last turn (second chance). Tokens that come once therefore do not displace those in use.
struct TokenTable {
  private struct Slot {
    let token: CachedToken
    var wasFound = false
  }

  private let capacity: Int
  private let byteLimit: Int
  private var slots: [Slot] = []
  private var indices: [UInt64: Int] = [:]
  /// The slot whose turn is next.
  private var hand = 0
  private(set) var statistics = VerifiedTokenCache.Statistics()

  init(capacity: Int, byteLimit: Int) {
    self.capacity = capacity
    self.byteLimit = byteLimit
  }

  var tokens: [CachedToken] { slots.map(\.token) }

  /// The token of this hash. The caller compares its text.
  mutating func find(_ hash: UInt64) -> CachedToken? {
    guard let index = indices[hash] else { return nil }
    if !slots[index].wasFound { slots[index].wasFound = true }
    statistics.hits += 1
    return slots[index].token
  }

  /// True if the table has the same token, verified by the same key set.
  func has(_ token: CachedToken) -> Bool {
    guard let index = indices[token.hash] else { return false }
    let stored = slots[index].token
    return stored.keys === token.keys && stored.matches(token.token.compact, token.section)
  }

  /// Stores a token, and removes one with the same hash.
  mutating func insert(_ token: CachedToken, at now: Int64) {
    remove(token.hash)
    guard capacity > 0, token.size <= byteLimit else { return }
    var evicted: Int?
    while slots.count >= capacity || statistics.bytes > byteLimit - token.size { evicted = evict(at: now) }
    indices[token.hash] = slots.count
    slots.append(Slot(token: token))
    // The new token takes the slot of the evicted one, so that its own turn comes after all others.
    if let index = evicted {
      slots.swapAt(index, slots.count - 1)
      indices[slots[slots.count - 1].token.hash] = slots.count - 1
      indices[token.hash] = index
      hand = index + 1
    }
    statistics.tokens += 1
    statistics.bytes += token.size
    statistics.insertions += 1
  }

  /// Removes the token of this hash, if any.
  mutating func remove(_ hash: UInt64) {
    if let index = indices[hash] { remove(at: index) }
  }

  /// Removes one token. The table is not empty.
  ///
  /// - Returns: the index of its slot.
  private mutating func evict(at now: Int64) -> Int {
    while true {
      if hand >= slots.count { hand = 0 }
      guard slots[hand].wasFound, slots[hand].token.expiration > now else { break }
      slots[hand].wasFound = false
      hand += 1
    }
    remove(at: hand)
    statistics.evictions += 1
    return hand
  }

  private mutating func remove(at index: Int) {
    let last = slots.count - 1
    statistics.tokens -= 1
    statistics.bytes -= slots[index].token.size
    indices[slots[index].token.hash] = nil
    if index < last {
      slots[index] = slots[last]
      indices[slots[index].token.hash] = index
    }
    slots.removeLast()
  }
}
