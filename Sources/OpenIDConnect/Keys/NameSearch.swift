internal import TokenSecurityEncodings

/// Decides which of the key names that unverified tokens bring are searched for, each by a fetch of its own.
///
/// Strangers can make names up, so fetches are limited; and they can make up many, so one limit for all names would keep
/// the real one from being found. Two limits apply in each cool-down: one search for any name, and ``searchesAgain`` for
/// names that came before. Made-up names that come once use up the first limit only; a real name comes again and again.
struct NameSearch {
  /// The searches in one cool-down for names that came before.
  static let searchesAgain = 16
  /// The most searches that are under way at the same time.
  static let underWay = 4

  private let coolDown: Int64
  private var seen = RecentNames()
  private var missing = RecentNames()
  private var missingUntil: Int64 = .min
  private var nextOfAny: Int64 = .min
  private var windowEnd: Int64 = .min
  private var usedInWindow = 0

  init(coolDown: Int64) { self.coolDown = coolDown }

  /// Decides whether `name` may be searched for now, and counts the search.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - underWay: the searches that have not ended.
  ///   - now: the present, in seconds that never decrease.
  mutating func admits(_ name: ExactString, underWay: Int, at now: Int64) -> Bool {
    let cameBefore = !seen.insert(name)
    guard underWay < Self.underWay else { return false }
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

  /// Notes that the server has no key of this name: for some cool-downs it counts as a name that came once.
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

/// The names that came last: at least ``RecentNames/generation`` of them, at most twice as many.
struct RecentNames {
  /// The names in one generation. The older generation is dropped when the newer one is full.
  static let generation = 8_192

  private var newer: Set<ExactString> = []
  private var older: Set<ExactString> = []

  /// True where `name` is among them.
  func contains(_ name: ExactString) -> Bool { newer.contains(name) || older.contains(name) }

  /// Adds `name`. False where it was there.
  @discardableResult
  mutating func insert(_ name: ExactString) -> Bool {
    let isNew = !contains(name)
    if newer.count >= Self.generation { (older, newer) = (newer, []) }
    newer.insert(name)
    return isNew
  }
}
