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

  /// Records the result of a fetch.
  mutating func finish(_ result: KeyFetch.Result, at now: Int64) {
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
