internal import HTTPExchange
internal import JOSE
internal import TokenLifetime

/// The state of a remote key set: the cached keys, when they are fresh, how long they may be used, when the
/// next fetch may begin. A value without clock, lock or network; all times are seconds that never decrease.
struct KeySetState {
  let configuration: RemoteKeySetConfiguration

  /// The keys of the last successful fetch.
  private(set) var keys: CachedKeys?
  /// The `ETag` of the response with the keys.
  private(set) var tag: String?
  /// The error of the last fetch, if it failed.
  private(set) var lastError: FetchError?

  private var freshUntil: Int64 = .min
  private var refreshFrom: Int64 = .min
  private var failures = 0
  private var nextTry: Int64 = .min
  private var nextSearch: Int64 = .min
  /// The searches that their callers gave up, one soon after the other.
  private var cancelledSearches = 0
  /// From then on a search that is given up is the first one again.
  private var calmFrom: Int64 = .min
  /// The address of the keys, by the issuer's metadata.
  private var discovered: HTTPURL?
  private var discoveredUntil: Int64 = .min

  /// The reason for a fetch.
  enum Reason: Sendable, Hashable {
    /// No keys are cached, or they are old.
    case age
    /// A token names a key that is not cached.
    case search
  }

  /// The outcome of a fetch.
  enum Outcome: Sendable {
    /// New keys, fresh for `freshFor` seconds.
    case keys(CachedKeys, tag: String?, freshFor: Int64)
    /// The cached keys are unchanged (304), fresh for `freshFor` more seconds.
    case unchanged(freshFor: Int64)
    /// The fetch failed.
    case failure(FetchError)
  }

  init(_ configuration: RemoteKeySetConfiguration) { self.configuration = configuration }

  /// The keys while they may be used: during their lifetime and the grace period after it.
  func usable(at now: Int64) -> CachedKeys? {
    guard let keys,
      now < freshUntil || now.saturatingDifference(freshUntil) < configuration.grace.wholeSeconds
    else { return nil }
    return keys
  }

  /// True during the lifetime of the keys.
  func isFresh(at now: Int64) -> Bool { keys != nil && now < freshUntil }

  /// True if a background refresh is due: in the last quarter of the lifetime.
  func needsRefresh(at now: Int64) -> Bool { now >= refreshFrom && mayFetch(at: now) }

  /// False during the back-off after a failed fetch.
  func mayFetch(at now: Int64) -> Bool { now >= nextTry }

  /// True if a fetch may search for a key that is not cached.
  func maySearch(at now: Int64) -> Bool { now >= nextSearch && mayFetch(at: now) }

  /// The time of the next refresh.
  func nextRefresh(after now: Int64) -> Int64 { max(refreshFrom, nextTry, now) }

  /// Records the start of a fetch.
  ///
  /// - Parameters:
  ///   - reason: the reason for the fetch.
  ///   - location: the location of the keys.
  ///   - now: the time.
  /// - Returns: the fetch, which the caller runs.
  mutating func begin(_ reason: Reason, _ location: KeySetLocation, at now: Int64) -> KeyFetch {
    if reason == .search { nextSearch = now.saturatingSum(configuration.coolDown.wholeSeconds) }
    return KeyFetch(
      location, configuration, known: now < discoveredUntil ? discovered : nil, tag: keys == nil ? nil : tag)
  }

  /// Records that the caller of a fetch has given it up, which says nothing about the keys.
  ///
  /// The next fetch may begin at once. Only searches that are given up one soon after the other have pauses between them,
  /// of 1, 2, 4 … seconds up to the cool-down: tokens with invented key ids begin them, and each may be given up.
  ///
  /// - Parameters:
  ///   - reason: the reason for the fetch.
  ///   - now: the time.
  mutating func cancel(_ reason: Reason, at now: Int64) {
    guard reason == .search else { return }
    let coolDown = configuration.coolDown.wholeSeconds
    if now >= calmFrom { cancelledSearches = 0 }
    let pause: Int64 = cancelledSearches == 0 ? 0 : 1 << Int64(min(cancelledSearches - 1, 20))
    cancelledSearches = min(cancelledSearches + 1, 64)
    nextSearch = now.saturatingSum(min(pause, coolDown))
    calmFrom = nextSearch.saturatingSum(coolDown)
  }

  /// Records the result of a fetch.
  mutating func finish(_ result: KeyFetch.Result, at now: Int64) {
    cancelledSearches = 0
    finish(result.outcome, at: now)
    if let found = result.discovered {
      discovered = found.address
      discoveredUntil = now.saturatingSum(found.lifetime)
    } else if case .failure = result.outcome {
      // The keys may have moved: the next fetch repeats discovery.
      discoveredUntil = .min
    }
  }

  private mutating func finish(_ outcome: Outcome, at now: Int64) {
    switch outcome {
    case .keys(let keys, let tag, let lifetime):
      self.keys = keys
      self.tag = tag
      renew(lifetime, now)
    case .unchanged(let lifetime):
      renew(lifetime, now)
    case .failure(let error):
      lastError = error
      failures = min(failures + 1, 64)
      nextTry = now.saturatingSum(configuration.backOff(afterFailures: failures))
    }
  }

  private mutating func renew(_ lifetime: Int64, _ now: Int64) {
    lastError = nil
    failures = 0
    nextTry = now
    freshUntil = now.saturatingSum(lifetime)
    refreshFrom = now.saturatingSum(lifetime - lifetime / 4)
  }
}

/// Fetched keys, prepared for verification.
final class CachedKeys: Sendable {
  let set: JWKSet
  let prepared: PreparedKeys

  init(_ set: JWKSet) throws(JOSEError) {
    self.set = set
    prepared = try PreparedKeys(set)
  }
}
