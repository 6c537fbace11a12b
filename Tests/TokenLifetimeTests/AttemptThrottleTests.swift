internal import Testing
internal import TokenLifetime

@Suite struct AttemptThrottleTests {
  static let now = Timestamp(seconds: 1_788_598_987)

  static func throttle(_ failures: Int, _ lastFailure: Timestamp = now) -> AttemptThrottle {
    AttemptThrottle(failures: failures, lastFailure: lastFailure)
  }

  @Test func waitsDoubleUpToTheLongest() {
    let waits = (0...9).map {
      Self.throttle($0).wait(attempts: 3, first: .milliseconds(1_500), longest: .seconds(30))
    }
    #expect(waits == [0, 0, 0, 2, 4, 8, 16, 30, 30, 30].map { Duration.seconds($0) })
    for failures in [3, 64, 65, 66, .max] {
      let wait = Self.throttle(failures).wait(
        attempts: 3, first: .seconds(Int64.max), longest: .seconds(1e20))
      #expect(wait == .seconds(Int64.max))
    }
    #expect(Self.throttle(.max).wait(attempts: .min, first: .seconds(1), longest: .seconds(9)) == .seconds(9))
    #expect(Self.throttle(0).wait(attempts: .min, first: .seconds(1), longest: .seconds(9)) == .zero)
  }

  @Test func failuresAreCounted() {
    var throttle = Self.throttle(-5)
    #expect(throttle.failures == 0)
    throttle.fail(at: Self.now + .seconds(1))
    #expect(throttle.failures == 1 && throttle.lastFailure == Self.now + .seconds(1))
    throttle = Self.throttle(.max)
    throttle.fail(at: Self.now)
    #expect(throttle.failures == .max)
  }

  static let moments: [(after: Duration, remaining: Duration?)] = [
    (.zero, .seconds(10)), (.milliseconds(9_999), .milliseconds(1)), (.seconds(10), nil),
    // Clocks differ by a few seconds; a larger difference means that one was set back.
    (.seconds(-5), .seconds(15)), (.milliseconds(-5_001), nil), (.seconds(-86_400), nil),
  ]

  @Test(arguments: moments) func whatIsLeftOfAWait(after: Duration, remaining: Duration?) {
    let throttle = Self.throttle(1)
    let left = throttle.remaining(
      of: .seconds(10), clockDifference: .seconds(5), at: Self.now + after)
    #expect(left == remaining)
    // Without a wait nothing is refused, also where the clock of the last failure is ahead.
    #expect(throttle.remaining(of: .zero, clockDifference: .seconds(5), at: Self.now + after) == nil)
  }

  @Test func extremeClocks() {
    for (last, now) in [(Timestamp.earliest, Timestamp.latest), (.latest, .earliest)] {
      #expect(
        Self.throttle(1, last).remaining(of: .seconds(900), clockDifference: .seconds(5), at: now) == nil)
    }
    let left = Self.throttle(1, .latest).remaining(
      of: .seconds(Int64.max), clockDifference: Duration(attoseconds: .max), at: .latest)
    #expect(left == .seconds(Int64.max))
  }
}
