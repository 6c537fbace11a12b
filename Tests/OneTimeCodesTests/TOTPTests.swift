@testable internal import OneTimeCodes
internal import Testing
internal import TokenSecurityVectorFiles

@Suite struct TOTPTests {
  @Test func windowsAndDrift() throws {
    let totp = try Material.totp()
    let present = try totp.step(at: Material.now)
    for offset in -5...5 {
      let code = try totp.code(at: Material.now + .seconds(offset * 30))
      for past in 0...4 {
        for future in 0...4 {
          let window = TOTP.Window(past: past, future: future)
          if (-past...future).contains(offset) {
            let match = try totp.verify(code, at: Material.now, window: window)
            #expect(
              match.step == present.advanced(by: offset) && match.drift == offset && match.present == present)
          } else {
            #expect(throws: OTPError.codeMismatch) { try totp.verify(code, at: Material.now, window: window) }
          }
        }
      }
    }
  }

  /// A clock that gets further ahead is tracked.
  @Test func aClockThatRunsAway() throws {
    let totp = try Material.totp()
    var state = TOTP.State()
    for day in 0..<20 {
      let now = Material.now + .seconds(day * 86_400)
      let match = try totp.verify(try totp.code(at: now + .seconds(day * 30)), at: now, state: state)
      #expect(match.drift == day)
      state = match.state
    }
    // Without the stored state the last code does not match.
    let now = Material.now + .seconds(20 * 86_400)
    #expect(throws: OTPError.codeMismatch) {
      try totp.verify(
        try totp.code(at: now + .seconds(20 * 30)), at: now, state: TOTP.State(lastStep: state.lastStep))
    }
    // The stored drift is limited by the window.
    for bound in [0, 20, 100] {
      let window = TOTP.Window(past: 1, future: 1, drift: bound)
      for (drift, sign) in [(Int.max, 1), (500, 1), (-500, -1), (.min, -1)] {
        func code(_ steps: Int) throws -> String { try totp.code(at: now + .seconds(sign * steps * 30)) }
        for steps in bound...(bound + 1) {
          let match = try totp.verify(code(steps), at: now, window: window, state: TOTP.State(drift: drift))
          #expect(match.drift == sign * steps && match.state.drift == sign * bound)
        }
        #expect(throws: OTPError.codeMismatch) {
          try totp.verify(code(bound + 2), at: now, window: window, state: TOTP.State(drift: drift))
        }
      }
    }
  }

  @Test func aStepIsUsedOnce() throws {
    let totp = try Material.totp()
    let code = try totp.code(at: Material.now)
    let first = try totp.verify(code, at: Material.now)
    #expect(throws: OTPError.codeUsed(step: first.step)) {
      try totp.verify(code, at: Material.now, state: first.state)
    }
    // Earlier steps are refused too; later ones are accepted.
    let before = try totp.code(at: Material.now - 30)
    #expect(throws: OTPError.codeUsed(step: first.step - 1)) {
      try totp.verify(before, at: Material.now, state: first.state)
    }
    let after = try totp.code(at: Material.now + 30)
    #expect(try totp.verify(after, at: Material.now, state: first.state).step == first.step + 1)
    #expect(throws: OTPError.codeMismatch) { try totp.verify("000000", at: Material.now, state: first.state) }
    #expect(throws: OTPError.codeUsed(step: first.step)) {
      try totp.verify(code, at: Material.now, state: TOTP.State(lastStep: .max))
    }
  }

  /// If two steps of a window have the same code, the earlier one counts; if it was used, the later one.
  @Test func twoStepsWithOneCode() throws {
    let totp = try Material.totp()
    var steps: [String: Int64] = [:]
    var pair: (Int64, Int64, String)?
    for step in Int64(0)..<20_000 {
      let code = try totp.code(at: Timestamp(seconds: step * 30))
      if let other = steps[code], step - other <= 200 {
        pair = (other, step, code)
        break
      }
      steps[code] = step
    }
    let (first, second, code) = try #require(pair)
    let middle = Timestamp(seconds: (first + second) / 2 * 30)
    let window = TOTP.Window(past: 100, future: 100)
    let match = try totp.verify(code, at: middle, window: window)
    #expect(match.step == UInt64(first))
    #expect(try totp.verify(code, at: middle, window: window, state: match.state).step == UInt64(second))
    let used = TOTP.State(lastStep: UInt64(second))
    #expect(throws: OTPError.codeUsed(step: UInt64(first))) {
      try totp.verify(code, at: middle, window: window, state: used)
    }
  }

  @Test func everyWrongDigit() throws {
    for digits in 6...8 {
      let totp = try Material.totp(digits: digits)
      let code = Array(try totp.code(at: Material.now).utf8)
      for place in 0..<digits {
        for digit in UInt8(ascii: "0")...UInt8(ascii: "9") where digit != code[place] {
          var other = code
          other[place] = digit
          let typed = String(decoding: other, as: UTF8.self)
          #expect(throws: OTPError.codeMismatch) { try totp.verify(typed, at: Material.now, window: .none) }
        }
      }
    }
  }

  @Test(
    arguments: [
      "", "12345", "1234567", "12345a", "12345 ", " 12345", "+12345", "-12345", "12 345", "１２３４５６",
      "123456\n",
      "12345\u{0}", "1e5000", "0x1234",
    ])
  func textsThatAreNoCodes(_ text: String) throws {
    let totp = try Material.totp()
    #expect(throws: OTPError.codeMalformed(digits: 6)) { try totp.verify(text, at: Material.now) }
    let hotp = try Material.hotp()
    #expect(throws: OTPError.codeMalformed(digits: 6)) { try hotp.verify(text, counter: 0) }
  }

  @Test func timesAtTheEdges() throws {
    let totp = try Material.totp()
    #expect(try totp.step(at: 0) == 0)
    #expect(try totp.step(at: 29) == 0)
    #expect(try totp.step(at: 30) == 1)
    #expect(try totp.timeLeft(at: 0) == 30)
    #expect(try totp.timeLeft(at: 29) == 1)
    #expect(try totp.step(at: .latest) == UInt64(Timestamp.latest.seconds / 30))
    #expect(try totp.step(at: 29 + .nanoseconds(999_999_999)) == 0)
    #expect(throws: OTPError.timeBeforeEpoch(-1, epoch: 0)) { try totp.step(at: -1) }
    #expect(throws: OTPError.timeBeforeEpoch(.earliest, epoch: 0)) { try totp.code(at: .earliest) }
    #expect(throws: OTPError.timeBeforeEpoch(-1, epoch: 0)) { try totp.timeLeft(at: -1) }
    // The window ends at the first step, but not at the last instants.
    let first = try totp.code(at: 0)
    #expect(try totp.verify(first, at: 29, window: TOTP.Window(past: 100, future: 100)).step == 0)
    let last = try totp.code(at: .latest)
    #expect(try totp.verify(last, at: .latest, window: TOTP.Window(past: 100, future: 100)).drift == 0)
    let early = try Material.totp(epoch: .earliest)
    #expect(try early.step(at: .earliest) == 0)
    #expect(try early.step(at: .latest) == UInt64((Timestamp.latest - .earliest).wholeSeconds / 30))
    let late = try Material.totp(epoch: .latest)
    #expect(try late.step(at: .latest) == 0)
    #expect(throws: OTPError.timeBeforeEpoch(0, epoch: .latest)) { try late.step(at: 0) }
    // T0 moves all steps.
    let shifted = try Material.totp(epoch: 59)
    #expect(try shifted.code(at: 59) == Material.hotp().code(counter: 0))
    let longest = try Material.totp(period: 86_400)
    #expect(try longest.timeLeft(at: 1) == 86_399)
  }

  @Test func whatIsNotSupported() throws {
    for digits in [-1, 0, 5, 9, .max] {
      #expect(throws: OTPError.digitsUnsupported(digits)) { try Material.totp(digits: digits) }
    }
    for period in [
      0, -30, 86_401, .milliseconds(1_500), .milliseconds(86_400_001), .seconds(Int64.max),
      Duration(attoseconds: .min), Duration(attoseconds: .max),
    ] as [Duration] {
      #expect(throws: OTPError.periodUnsupported(period)) { try Material.totp(period: period) }
    }
    let totp = try Material.totp()
    for steps in [-1, 101, .min, .max] {
      for window in [
        TOTP.Window(past: steps, future: 0), TOTP.Window(past: 0, future: steps),
        TOTP.Window(past: 0, future: 0, drift: steps),
      ] {
        #expect(throws: OTPError.windowUnsupported(steps)) {
          try totp.verify("123456", at: Material.now, window: window)
        }
      }
      #expect(throws: OTPError.windowUnsupported(steps)) {
        try Material.hotp().verify("123456", counter: 0, window: steps)
      }
    }
  }

  /// The default of `at:` is the present.
  @Test func aCodeOfThePresent() throws {
    let totp = try Material.totp()
    let match = try totp.verify(totp.code())
    #expect(try totp.step() - match.step <= 1)
    let past = try totp.code(at: .now - .seconds(300))
    #expect(throws: OTPError.codeMismatch) { try totp.verify(past) }
  }
}

@Suite struct HOTPTests {
  @Test func lookingAhead() throws {
    let hotp = try Material.hotp()
    for pressed in 0...12 {
      let code = try hotp.code(counter: UInt64(pressed))
      if pressed <= 10 {
        #expect(
          try hotp.verify(code, counter: 0) == HOTP.Match(counter: UInt64(pressed), next: UInt64(pressed) + 1)
        )
      } else {
        #expect(throws: OTPError.codeMismatch) { try hotp.verify(code, counter: 0) }
      }
    }
    // A used counter is not in the window.
    #expect(throws: OTPError.codeMismatch) { try hotp.verify(hotp.code(counter: 4), counter: 5) }
  }

  @Test func resynchronization() throws {
    let hotp = try Material.hotp()
    func code(_ counter: UInt64) throws -> String { try hotp.code(counter: counter) }
    #expect(try hotp.resynchronize(code(900), code(901), counter: 0) == HOTP.Match(counter: 901, next: 902))
    #expect(try hotp.resynchronize(code(0), code(1), counter: 0).counter == 1)
    #expect(throws: OTPError.codeMismatch) { try hotp.resynchronize(code(900), code(902), counter: 0) }
    #expect(throws: OTPError.codeMismatch) { try hotp.resynchronize(code(901), code(900), counter: 0) }
    #expect(throws: OTPError.codeMismatch) { try hotp.resynchronize(code(1_000), code(1_001), counter: 0) }
    #expect(try hotp.resynchronize(code(1_000), code(1_001), counter: 0, limit: 1_001).counter == 1_001)
    #expect(throws: OTPError.codeMismatch) { try hotp.resynchronize(code(4), code(5), counter: 5) }
    #expect(throws: OTPError.windowUnsupported(10_001)) {
      try hotp.resynchronize("123456", "123456", counter: 0, limit: 10_001)
    }
    #expect(throws: OTPError.codeMalformed(digits: 6)) {
      try hotp.resynchronize("123456", "12345", counter: 0)
    }
    #expect(throws: OTPError.codeMismatch) {
      try hotp.resynchronize(code(.max), code(0), counter: .max - 5)
    }
  }

  /// If several counters match, a search for a device far ahead returns the first one, and so does a window.
  @Test func selections() {
    var first = HOTP.Selection()
    #expect(first.declassified == nil)
    first.takeFirst(5, where: 0)
    first.takeFirst(6, where: .max)
    first.takeFirst(7, where: .max)
    #expect(first.declassified == 6)
    first.take(8, where: .max)
    first.take(9, where: 0)
    #expect(first.declassified == 8)
  }

  @Test func countersAtTheEdges() throws {
    let hotp = try Material.hotp(digits: 8)
    for counter in [0, 1, UInt64(Int64.max), UInt64(Int64.max) + 1, .max - 1, .max] as [UInt64] {
      let code = try hotp.code(counter: counter)
      #expect(code.utf8.count == 8)
      let match = try hotp.verify(code, counter: counter, window: 100)
      #expect(match.counter == counter)
      #expect(match.next == (counter == .max ? nil : counter + 1))
    }
    #expect(try hotp.verify(hotp.code(counter: .max), counter: .max - 5).next == nil)
    #expect(throws: OTPError.codeMismatch) { try hotp.verify(hotp.code(counter: 0), counter: .max - 5) }
  }

  @Test func waits() throws {
    let policy = OTPThrottle.Policy()
    var throttle = OTPThrottle()
    var waits: [Duration] = []
    for _ in 1...14 {
      throttle.fail(at: Material.now)
      waits.append(throttle.wait())
      if throttle.wait() > .zero {
        #expect(throws: OTPError.throttled(remaining: 1)) {
          try throttle.check(at: Material.now + throttle.wait() - 1)
        }
      }
      try throttle.check(at: Material.now + throttle.wait())
    }
    #expect(waits == [0, 0, 0, 0, 30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600])
    // A clock that was set back ends the wait.
    try throttle.check(at: 0)
    try throttle.check(at: .earliest)
    try throttle.check(at: .latest)
    throttle.succeed()
    #expect(throttle == OTPThrottle())
    var most = OTPThrottle(failures: .max, lastFailure: .earliest)
    most.fail(at: .latest)
    #expect(most.failures == .max)
    #expect(throws: OTPError.throttled(remaining: 3_600)) { try most.check(at: .latest) }
    try OTPThrottle(failures: .max, lastFailure: .earliest).check(at: .latest)
    #expect(OTPThrottle(failures: -5).failures == 0)
    let huge = OTPThrottle.Policy(firstWait: Duration(attoseconds: .max), longestWait: 1)
    for failures in [5, 66, .max] {
      #expect(OTPThrottle(failures: failures).wait(huge) == .seconds(Int64.max))
    }
    #expect(
      OTPThrottle.Policy(attempts: 0, firstWait: 0, longestWait: 0)
        == OTPThrottle.Policy(attempts: 1, firstWait: 1, longestWait: 1))
    #expect(policy.attempts == 5)
  }
}
