internal import Synchronization
internal import Testing
internal import TokenLifetime

/// Reports of causes that recur.
@Suite struct ReportLimitTests {
  private final class Uptime: Sendable {
    let time = Mutex(Duration.seconds(100))
  }

  @Test func oneInAnInterval() {
    let uptime = Uptime()
    let limit = ReportLimit(interval: .seconds(10)) { uptime.time.withLock { $0 } }
    #expect(limit.report("store_failed") == 0)
    uptime.time.withLock { $0 += .seconds(9) }
    for _ in 0..<1_000 { #expect(limit.report("store_failed") == nil) }
    // Other causes do not wait for it.
    #expect(limit.report("store_busy") == 0)
    uptime.time.withLock { $0 += .seconds(1) }
    #expect(limit.report("store_failed") == 1_000)
    uptime.time.withLock { $0 += .seconds(1) }
    #expect(limit.report("store_failed") == nil)
    uptime.time.withLock { $0 += .seconds(9) }
    #expect(limit.report("store_failed") == 1)
  }
}
