internal import JOSE
internal import TokenLifetime

/// What is known of a remote key set at one moment, and what may be done about it: when it is fresh, when it may
/// still serve, when it may be asked for. A value without clock, lock or network; all times are seconds that
/// never decrease.
struct KeySetState {
  let rules: RemoteKeySetConfiguration

  /// The keys that were fetched last.
  private(set) var keys: CachedKeys?
  /// The `ETag` of the answer that they came with.
  private(set) var tag: String?
  /// Why the last fetch failed, where it did.
  private(set) var lastFault: FetchError?

  private var freshUntil: Int64 = .min
  private var refreshFrom: Int64 = .min
  private var failures = 0
  private var nextTry: Int64 = .min
  private var nextSearch: Int64 = .min

  /// Why keys are asked for.
  enum Reason: Sendable, Hashable {
    /// There are none, or they are old.
    case age
    /// A token names one that is not among them.
    case search
  }

  /// What a fetch brought.
  enum Outcome: Sendable {
    /// Keys; with how long they are fresh, in seconds.
    case keys(CachedKeys, tag: String?, life: Int64)
    /// The keys at hand are still the right ones; for so many seconds more.
    case unchanged(life: Int64)
    /// Nothing that could be used.
    case fault(FetchError)
  }

  init(rules: RemoteKeySetConfiguration) { self.rules = rules }

  /// The keys, as long as they may serve: their life and the grace behind it.
  func usable(at now: Int64) -> CachedKeys? {
    guard let keys, now < freshUntil || now.saturatingDifference(freshUntil) < rules.grace.wholeSeconds else {
      return nil
    }
    return keys
  }

  /// True while the keys are within their life.
  func isFresh(at now: Int64) -> Bool { keys != nil && now < freshUntil }

  /// True where it is time to ask for the keys anew, in the background: the last quarter of their life.
  func wantsRefresh(at now: Int64) -> Bool { now >= refreshFrom && mayFetch(at: now) }

  /// True where no failure was too short a time ago.
  func mayFetch(at now: Int64) -> Bool { now >= nextTry }

  /// True where a key that is not held may be searched for by a fetch.
  func maySearch(at now: Int64) -> Bool { now >= nextSearch && mayFetch(at: now) }

  /// When the keys want to be asked for next.
  func nextRefresh(after now: Int64) -> Int64 { max(refreshFrom, nextTry, now) }

  /// Notes that a fetch begins.
  mutating func begin(_ reason: Reason, at now: Int64) {
    if reason == .search { nextSearch = now.saturatingSum(rules.coolDown.wholeSeconds) }
  }

  /// Notes what came of it.
  mutating func finish(_ outcome: Outcome, at now: Int64) {
    switch outcome {
    case .keys(let keys, let tag, let life):
      self.keys = keys
      self.tag = tag
      renew(life, now)
    case .unchanged(let life):
      renew(life, now)
    case .fault(let fault):
      lastFault = fault
      failures = min(failures + 1, 64)
      nextTry = now.saturatingSum(rules.wait(afterFailures: failures))
    }
  }

  private mutating func renew(_ life: Int64, _ now: Int64) {
    lastFault = nil
    failures = 0
    nextTry = now
    freshUntil = now.saturatingSum(life)
    refreshFrom = now.saturatingSum(life - life / 4)
  }
}

/// Keys that were fetched, made ready.
final class CachedKeys: Sendable {
  let set: JWKSet
  let prepared: PreparedKeys

  init(_ set: JWKSet) throws(JOSEError) {
    self.set = set
    prepared = try PreparedKeys(set)
  }
}
