internal import TokenSecurityBase

/// The key sets of a load balancer, one for each key. A value without clock or lock.
struct LoadBalancerKeys {
  /// The maximum number of cached keys. A load balancer signs with one at a time.
  private static let capacity = 16
  /// The maximum number of sets, including those that are being fetched or have failed.
  private static let setLimit = 64

  private struct Entry {
    let set: RemoteKeySet
    /// True once the key has verified a token.
    var isProven = false
  }

  private var entries: [ExactString: Entry] = [:]
  /// The names in the order of their first search.
  private var order: [ExactString] = []
  private var search: NameSearch
  private var time = ElapsedTime()

  init(coolDown: Int64) { search = NameSearch(coolDown: coolDown) }

  /// Finds the set of a key, or makes it if the key may be searched for.
  ///
  /// - Parameters:
  ///   - name: the key id.
  ///   - clock: the reading of the clock, in seconds.
  ///   - make: makes the set.
  /// - Returns: nil if the key is not cached and may not be searched for now.
  mutating func set(
    of name: ExactString, at clock: Int64, make: () -> RemoteKeySet
  ) -> (set: RemoteKeySet, isProven: Bool)? {
    let now = time.advance(to: clock)
    if let entry = entries[name] {
      // A set that failed recently stays to report its error.
      if case .failed(_, mayRetry: true) = entry.set.status {} else { return (entry.set, entry.isProven) }
    }
    let running = removeFailed(at: now)
    guard search.allows(name, running: running, at: now) else { return nil }
    makeRoom()
    guard order.count < Self.setLimit else { return nil }
    let set = make()
    entries[name] = Entry(set: set)
    order.append(name)
    return (set, false)
  }

  /// Records that a key has verified a token. It is not dropped for keys that have not.
  mutating func noteProof(of name: ExactString) { entries[name]?.isProven = true }

  /// Removes expired sets, and failed sets that may be fetched again. Returns the number of fetches in
  /// progress.
  private mutating func removeFailed(at now: Int64) -> Int {
    var running = 0
    order.removeAll { name in
      switch entries[name]?.set.status {
      case .cached: return false
      case .fetching:
        running += 1
        return false
      case .failed(let error, let mayRetry):
        guard mayRetry else { return false }
        if case .status(400...499) = error { search.noteMissing(name, at: now) }
      case .expired, nil: break
      }
      entries[name] = nil
      return true
    }
    return running
  }

  /// Drops one cached key if the cache is full: an unproven one if there is one, otherwise the oldest.
  private mutating func makeRoom() {
    let cached = order.filter { name in
      if case .cached? = entries[name]?.set.status { true } else { false }
    }
    guard cached.count >= Self.capacity,
      let name = cached.first(where: { entries[$0]?.isProven != true }) ?? cached.first
    else { return }
    entries[name] = nil
    order.removeAll { $0 == name }
  }
}
