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

  /// Causes that somebody may name without end have room for a number of them; the others are one.
  @Test func manyCauses() {
    let uptime = Uptime()
    let limit = ReportLimit(interval: .seconds(10), limit: 3) { uptime.time.withLock { $0 } }
    var reported = 0
    for number in 0..<1_000 where limit.report("function \(number)") != nil { reported += 1 }
    #expect(reported == 4 && limit.count == 4)
    // Known ones are told apart further on.
    #expect(limit.report("function 0") == nil)
    uptime.time.withLock { $0 += .seconds(10) }
    #expect(limit.report("function 0") == 1)
    // The room of those whose time is over is free.
    #expect(limit.report("function 999") == 0)
    #expect(limit.report("function 998") == 0)
    #expect(limit.report("function 997") == 0)
    #expect(limit.count <= 4)
  }
}
