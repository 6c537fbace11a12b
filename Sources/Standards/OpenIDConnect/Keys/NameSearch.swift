internal import TokenSecurityBase

/// Decides which key ids of unverified tokens are searched for. Each search is a fetch.
///
/// Attackers can invent key ids, so fetches are limited. They can invent many, so a single limit could keep
/// the real key from being found. Two limits apply in each cool-down: one search for any name, and
/// ``searchesAgain`` for names that were seen before. An invented name that comes once uses up only the first
/// limit; a real name comes again.
struct NameSearch {
  /// The searches in one cool-down for names that were seen before.
  static let searchesAgain = 16
  /// The maximum number of concurrent searches.
  static let concurrency = 4

  private let coolDown: Int64
  private var seen = RecentNames()
  private var missing = RecentNames()
  private var missingUntil: Int64 = .min
  private var nextOfAny: Int64 = .min
  private var windowEnd: Int64 = .min
  private var usedInWindow = 0

  init(coolDown: Int64) { self.coolDown = coolDown }

  /// Decides whether to search for a name now, and counts the search.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - running: the number of searches in progress.
  ///   - now: the time, in seconds that never decrease.
  /// - Returns: true if the search may begin.
  mutating func allows(_ name: ExactString, running: Int, at now: Int64) -> Bool {
    let cameBefore = !seen.insert(name)
    guard running < Self.concurrency else { return false }
    if now >= nextOfAny {
      nextOfAny = now.saturatingSum(coolDown)
      return true
    }
    guard cameBefore, !isMissing(name, at: now) else { return false }
    if now >= windowEnd {
      windowEnd = now.saturatingSum(coolDown)
      usedInWindow = 0
    }
    guard usedInWindow < Self.searchesAgain else { return false }
    usedInWindow += 1
    return true
  }

  /// Records that the server has no key of this name: for six cool-downs at most it counts as a new name.
  mutating func noteMissing(_ name: ExactString, at now: Int64) {
    if now >= missingUntil {
      missing = RecentNames()
      missingUntil = now.saturatingSum(coolDown.saturatingProduct(6))
    }
    missing.insert(name)
  }

  private func isMissing(_ name: ExactString, at now: Int64) -> Bool {
    now < missingUntil && missing.contains(name)
  }
}

/// The latest names: at least ``RecentNames/generation``, at most twice as many.
struct RecentNames {
  /// The size of a generation. The older generation is dropped when the newer one is full.
  static let generation = 8_192

  private var newer: Set<ExactString> = []
  private var older: Set<ExactString> = []

  /// Returns true if `name` is one of them.
  func contains(_ name: ExactString) -> Bool { newer.contains(name) || older.contains(name) }

  /// Adds `name`. Returns false if it was there before.
  @discardableResult
  mutating func insert(_ name: ExactString) -> Bool {
    let isNew = !contains(name)
    if newer.count >= Self.generation { (older, newer) = (newer, []) }
    newer.insert(name)
    return isNew
  }
}
