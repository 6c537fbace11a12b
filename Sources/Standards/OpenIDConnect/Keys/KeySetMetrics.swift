internal import JOSE
public import Logging
internal import Metrics
internal import TokenSecurityBase

/// Metrics and log lines of a remote key set. They contain no token and no key.
struct KeySetMetrics: Sendable {
  private let name: String
  private let logger: Logger
  private let fetched: Counter
  private let unchanged: Counter
  private let failed: Counter
  private let searched: Counter
  private let stale: Counter

  init(_ name: String, logger: Logger) {
    self.name = name
    self.logger = logger
    func fetches(_ outcome: String) -> Counter {
      Counter(label: "openid_key_fetches_total", dimensions: [("outcome", outcome)])
    }
    fetched = fetches("fetched")
    unchanged = fetches("unchanged")
    failed = fetches("failed")
    searched = Counter(label: "openid_key_searches_total")
    stale = Counter(label: "openid_stale_keys_used_total")
  }

  /// Records the start of a fetch.
  func began(_ reason: KeySetState.Reason) {
    guard reason == .search else { return }
    searched.increment()
    logger.info("a token names a key that is not cached; fetching the set", metadata: ["keys": "\(name)"])
  }

  /// Records the outcome of a fetch.
  ///
  /// - Parameters:
  ///   - outcome: the outcome.
  ///   - before: the keys that were cached before.
  func ended(_ outcome: KeySetState.Outcome, before: CachedKeys?) {
    switch outcome {
    case .keys(let keys, _, let lifetime):
      fetched.increment()
      let new = Set(keys.set.keys.compactMap { $0.keyID.map { ExactString($0) } })
      let old = Set(before?.set.keys.compactMap { $0.keyID.map { ExactString($0) } } ?? [])
      logger.info(
        before == nil || new == old ? "key set fetched" : "the keys have changed",
        metadata: [
          "keys": "\(name)", "count": "\(keys.set.keys.count)", "refused": "\(keys.set.rejected.count)",
          "added": "\(new.subtracting(old).count)",
          "removed": "\(old.subtracting(new).count)", "seconds": "\(lifetime)",
        ])
    case .unchanged(let lifetime):
      unchanged.increment()
      logger.debug("key set unchanged", metadata: ["keys": "\(name)", "seconds": "\(lifetime)"])
    case .failure(let error):
      failed.increment()
      logger.warning(
        "key set not fetched",
        metadata: [
          "keys": "\(name)", "code": "\(error.codeText)", "reason": "\(error)",
          "cached": "\(before == nil ? "none" : "older keys")",
        ])
    }
  }

  /// Records the use of keys after their lifetime.
  func usedStale() { stale.increment() }
}

extension Logger {
  /// A logger that discards all messages.
  public static var silent: Logger { Logger(label: "OpenIDConnect") { _ in SwiftLogNoOpLogHandler() } }
}
