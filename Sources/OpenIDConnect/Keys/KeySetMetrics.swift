internal import TokenSecurityEncodings
internal import JOSE
internal import Logging
internal import Metrics

/// What is told of a remote key set: counters for dashboards, lines for logs. Never a token, never a key.
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
    func counter(_ label: String, _ outcome: String? = nil) -> Counter {
      Counter(label: label, dimensions: outcome.map { [("outcome", $0)] } ?? [])
    }
    fetched = counter("openid_key_fetches_total", "fetched")
    unchanged = counter("openid_key_fetches_total", "unchanged")
    failed = counter("openid_key_fetches_total", "failed")
    searched = counter("openid_key_searches_total")
    stale = counter("openid_stale_keys_used_total")
  }

  /// A fetch begins.
  func began(_ reason: KeySetState.Reason) {
    guard reason == .search else { return }
    searched.increment()
    logger.info("a token names a key that is not held; fetching the set", metadata: ["keys": "\(name)"])
  }

  /// A fetch has ended.
  func ended(_ outcome: KeySetState.Outcome, before: CachedKeys?) {
    switch outcome {
    case .keys(let keys, _, let life):
      fetched.increment()
      let new = Set(keys.set.keys.compactMap { $0.keyID.map { ExactString($0) } })
      let old = Set(before?.set.keys.compactMap { $0.keyID.map { ExactString($0) } } ?? [])
      logger.info(
        before == nil || new == old ? "key set fetched" : "the keys have changed",
        metadata: [
          "keys": "\(name)", "count": "\(keys.set.keys.count)", "refused": "\(keys.set.rejected.count)",
          "added": "\(before == nil ? 0 : new.subtracting(old).count)",
          "removed": "\(old.subtracting(new).count)", "seconds": "\(life)",
        ])
    case .unchanged(let life):
      unchanged.increment()
      logger.debug("key set unchanged", metadata: ["keys": "\(name)", "seconds": "\(life)"])
    case .fault(let fault):
      failed.increment()
      logger.warning(
        "key set not fetched",
        metadata: [
          "keys": "\(name)", "code": "\(fault.codeText)", "reason": "\(fault)",
          "held": "\(before == nil ? "none" : "older keys")",
        ])
    }
  }

  /// Keys served behind their life.
  func usedStale() { stale.increment() }
}
