internal import TokenSecurityEncodings

/// The key sets of a load balancer, one for each key. A value without clock or lock.
struct LoadBalancerKeys {
  /// The most keys that are cached. A load balancer signs with one at a time.
  private static let capacity = 16
  /// The most sets, with those that are being fetched or could not be.
  private static let setLimit = 64

  private struct Entry {
    let set: RemoteKeySet
    /// True where the key has verified a token.
    var isProved = false
  }

  private var entries: [ExactString: Entry] = [:]
  /// The names in the order in which they were first searched for.
  private var order: [ExactString] = []
  private var search: NameSearch
  private var time = ElapsedTime()

  init(coolDown: Int64) { search = NameSearch(coolDown: coolDown) }

  /// The set of the key called `name`, made where it may be searched for.
  ///
  /// - Returns: nil where the key is not cached and may not be searched for now.
  mutating func set(
    of name: ExactString, at clock: Int64, make: () -> RemoteKeySet
  ) -> (set: RemoteKeySet, isProved: Bool)? {
    let now = time.advance(to: clock)
    if let entry = entries[name] {
      // A set that failed a short time ago is there to say why.
      if case .failed(_, mayRetry: true) = entry.set.standing {} else { return (entry.set, entry.isProved) }
    }
    let underWay = removeFailed(at: now)
    guard search.admits(name, underWay: underWay, at: now) else { return nil }
    makeRoom()
    guard order.count < Self.setLimit else { return nil }
    let set = make()
    entries[name] = Entry(set: set)
    order.append(name)
    return (set, false)
  }

  /// Notes that the key called `name` has verified a token: it is not dropped for keys that have not.
  mutating func noteProof(of name: ExactString) { entries[name]?.isProved = true }

  /// Removes the sets that failed and may be tried again, which is decided anew, and those that have expired. Returns how
  /// many are being fetched.
  private mutating func removeFailed(at now: Int64) -> Int {
    var underWay = 0
    order.removeAll { name in
      switch entries[name]?.set.standing {
      case .held: return false
      case .underWay:
        underWay += 1
        return false
      case .failed(let fault, let mayRetry):
        guard mayRetry else { return false }
        if case .status(400...499) = fault { search.noteMissing(name, at: now) }
      case .expired, nil: break
      }
      entries[name] = nil
      return true
    }
    return underWay
  }

  /// Drops cached keys beyond the capacity: first those that have verified nothing, then the oldest.
  private mutating func makeRoom() {
    let held = order.filter { name in
      if case .held? = entries[name]?.set.standing { true } else { false }
    }
    guard held.count >= Self.capacity,
      let name = held.first(where: { entries[$0]?.isProved != true }) ?? held.first
    else { return }
    entries[name] = nil
    order.removeAll { $0 == name }
  }
}
