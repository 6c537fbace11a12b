@testable internal import OneTimeCodes
internal import Testing
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

/// Clocks of devices and of the service that are slow, are corrected, or jump.
@Suite struct ClockTests {
  /// Verifies the code `distance` steps from the present, and stores the state if it is accepted.
  static func isAccepted(
    _ totp: TOTP, _ distance: Int, at now: Timestamp, window: TOTP.Window = .one, _ state: inout TOTP.State
  ) throws -> Bool {
    do {
      state = try totp.verify(
        totp.code(at: now + .seconds(distance * 30)), at: now, window: window, state: state
      ).state
      return true
    } catch .codeMismatch, .codeUsed { return false }
  }

  /// A late code does not lock out a device with the right time.
  @Test func lateCodes() throws {
    let totp = try Material.totp()
    var state = TOTP.State()
    var now = Material.now
    for distance in [-1, -2, 0, -1, -1, -2, -3, 0, 0, 0] {
      #expect(try Self.isAccepted(totp, distance, at: now, &state))
      now += 300
    }
    #expect(state.drift == 0)
  }

  /// A slow or fast clock that is corrected.
  @Test func aClockThatIsPutRight() throws {
    let totp = try Material.totp()
    for slow in -20...20 {
      var state = TOTP.State(drift: slow)
      #expect(try Self.isAccepted(totp, slow, at: Material.now, &state))
      #expect(state.drift == slow)
      // The used steps of a fast clock are in the past after as many periods.
      for number in 1...25 as ClosedRange<Int64> {
        #expect(try Self.isAccepted(totp, 0, at: Material.now + .seconds(number * 900), &state))
      }
      #expect(state.drift == 0)
    }
  }

  /// An attacker who collects codes and delays each as long as possible.
  @Test(arguments: [0, 1, 5, 20, 100]) func codesThatAreDelayedOnPurpose(_ bound: Int) throws {
    let totp = try Material.totp()
    let window = TOTP.Window(past: 1, future: 1, drift: bound)
    var state = TOTP.State()
    var now = Material.now
    for attempt in 0..<150 {
      now += 86_400
      let before = state.drift
      #expect(try Self.isAccepted(totp, before - 1, at: now, window: window, &state))
      #expect(before - state.drift == (attempt < bound ? 1 : 0))
      #expect(state.drift >= -bound)
      var other = state
      #expect(try !Self.isAccepted(totp, -bound - 2, at: now + 9_000, window: window, &other))
      #expect(try Self.isAccepted(totp, 0, at: now + 9_000, window: window, &other))
    }
  }

  /// Codes at random times: those in the window around the present are accepted unless their step was used,
  /// no step is accepted twice, and the drift changes by at most one.
  @Test(arguments: 1...8 as ClosedRange<UInt64>) func anySequence(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let totp = try Material.totp()
    let window = TOTP.Window(
      past: Int.random(in: 0...3, using: &random), future: Int.random(in: 0...3, using: &random),
      drift: Int.random(in: 0...30, using: &random))
    var state = TOTP.State()
    var now = Material.now
    var used: Set<UInt64> = []
    let rounds = TestScale.count(2_000)
    for _ in 0..<rounds {
      now += .seconds(Int64.random(in: 0...200, using: &random))
      let isRight = Bool.random(using: &random)
      let distance =
        isRight
        ? Int.random(in: -window.past...window.future, using: &random)
        : state.drift + Int.random(in: -5...5, using: &random)
      let before = state
      let step = try totp.step(at: now).advanced(by: distance)
      let accepted = try Self.isAccepted(totp, distance, at: now, window: window, &state)
      if accepted {
        let taken = try #require(state.lastStep)
        #expect(used.insert(taken).inserted)
        #expect(taken > before.lastStep ?? 0)
        #expect(abs(state.drift - before.drift) <= 1 && abs(state.drift) <= window.drift)
      } else {
        #expect(state == before)
        if isRight { #expect(step <= before.lastStep ?? 0) }
      }
    }
    #expect(used.count > rounds / 20)
  }

  static func isThrottled(_ throttle: OTPThrottle, _ policy: OTPThrottle.Policy, at now: Timestamp) -> Bool {
    Material.code { try throttle.check(at: now, policy: policy) } == .throttled
  }

  /// A failure that was counted by a clock far ahead is ignored.
  @Test func aThrottleWhoseClockWentBack() throws {
    let policy = OTPThrottle.Policy()
    let year: Duration = 31_536_000
    let throttle = OTPThrottle(failures: 5, lastFailure: Material.now + year * 10)
    for now in [Material.now, Material.now + 3_600, Material.now + 86_400, Material.now + year] {
      #expect(!Self.isThrottled(throttle, policy, at: now))
    }
    // Machines whose clocks differ by a few seconds still share a throttle.
    for (ahead, isThrottled) in [(5, true), (6, false)] as [(Duration, Bool)] {
      let throttle = OTPThrottle(failures: 5, lastFailure: Material.now + ahead)
      #expect(Self.isThrottled(throttle, policy, at: Material.now) == isThrottled)
    }
    #expect(OTPThrottle.Policy(clockDifference: Duration(attoseconds: .max)).clockDifference == 300)
    #expect(OTPThrottle.Policy(clockDifference: Duration(attoseconds: .min)).clockDifference == 0)
  }

  /// Whatever the clock does, no wait is longer than the limit; without a jump, none is shorter.
  @Test(arguments: 1...4 as ClosedRange<UInt64>) func noWaitOutlastsTheLongest(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let clocks: [Timestamp] = [
      .earliest, -1, 0, 1, Material.now, .latest - 3_600, .latest - 1, .latest,
    ]
    let waits: [Duration] = [
      Duration(attoseconds: .min), .zero, .milliseconds(500), 1, 30, 3_600, .seconds(Int64.max),
      Duration(attoseconds: .max),
    ]
    func instant() -> Timestamp {
      switch Int.random(in: 0..<3, using: &random) {
      case 0: clocks[Int.random(in: 0..<clocks.count, using: &random)]
      case 1: Material.now + .milliseconds(Int64.random(in: -5_000_000...5_000_000, using: &random))
      default: Timestamp(seconds: Int64.random(in: Timestamp.range, using: &random))
      }
    }
    for round in 0..<TestScale.count(2_000) {
      let policy =
        round % 2 == 0
        ? OTPThrottle.Policy()
        : OTPThrottle.Policy(
          attempts: Int.random(in: 0...9, using: &random),
          firstWait: waits[Int.random(in: 0..<waits.count, using: &random)],
          longestWait: waits[Int.random(in: 0..<waits.count, using: &random)])
      var throttle = OTPThrottle()
      for _ in 0..<Int.random(in: 0..<80, using: &random) { throttle.fail(at: instant()) }
      let now = instant()
      do throws(OTPError) {
        try throttle.check(at: now, policy: policy)
      } catch .throttled(let remaining) {
        let most = .seconds(policy.longestWait.secondsRoundedUp) + policy.clockDifference
        #expect(remaining > .zero && remaining <= most)
        let end = now + remaining
        #expect(end == .latest || !Self.isThrottled(throttle, policy, at: end))
      } catch { Issue.record("\(error)") }
      throttle.fail(at: now)
      let wait = throttle.wait(policy)
      #expect(wait == .zero || Self.isThrottled(throttle, policy, at: now))
      let last = now + (wait - .nanoseconds(1))
      if wait > .zero, last < .latest {
        #expect(Self.isThrottled(throttle, policy, at: last))
        #expect(!Self.isThrottled(throttle, policy, at: last + .nanoseconds(1)))
      }
    }
  }
}
