internal import CognitoIdentity
internal import TokenSecurityCrypto
internal import JOSE
internal import Testing
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

/// Signing keys recover from a clock that is temporarily wrong.
@Suite struct ClockJumpTests {
  private static let rule = rule(days: 30)

  private static func rule(days: Int) -> RotationRule {
    var rule = RotationRule(period: .seconds(days * 86_400), notice: .seconds(3_600))
    rule.removalDelay = RotationRule.grace
    return rule
  }

  /// A token that was issued while the clock was right, and when it expires.
  private struct Issued {
    let token: IssuedToken
    let end: Int64
  }

  private func opens(_ f: Fixture, _ token: IssuedToken, at now: Timestamp) async -> String {
    await code {
      _ = try await f.service.issueCredentials(
        for: token.identityID, logins: ["cognito-identity.amazonaws.com": token.token], at: now)
    }
  }

  @Test(arguments: [1 as UInt64, 2, 3, 4])
  func randomJumpsLeaveNoTrace(_ seed: UInt64) async throws {
    // A short series has short periods: keys change in each.
    let (rule, steps) = (Self.rule(days: TestScale.count(30, minimum: 3)), TestScale.count(300, minimum: 30))
    let f = try await Fixture(.memory, rotation: rule)
    var random = SeededGenerator(seed: seed)
    var uptime = Duration.zero
    var now = Fixture.now.seconds
    var live: [Issued] = []
    // When the signing key was first used.
    var signer = (keyID: "", since: now)
    for step in 0..<steps {
      now += 21_600
      uptime += .seconds(21_600)
      if random.next() % 3 == 0 {
        // For twelve seconds the clock is ahead or back by minutes or years.
        let distance = Int64(random.next() % (1 << (random.next() % 28)))
        let wrong = random.next() % 2 == 0 ? now + distance : now - distance
        for second in [0, 5, 10] as [Int64] {
          try await f.service.keys.maintain(
            at: Timestamp(seconds: wrong + second), uptime: uptime + .seconds(second))
        }
        uptime += .seconds(12)
      }
      // A sample of the service's calls.
      for second in [0, 5, 900] as [Int64] {
        try await f.service.keys.maintain(
          at: Timestamp(seconds: now + second), uptime: uptime + .seconds(second))
      }
      now += 900
      uptime += .seconds(900)
      let instant = Timestamp(seconds: now)
      let issued = try await f.token("jane", duration: 86_400, at: instant)
      live.append(Issued(token: issued, end: now + 86_400))
      live.removeAll { $0.end <= now }
      for token in live { #expect(await opens(f, token.token, at: instant) == "", "step \(step)") }
      let keyID = try UnverifiedToken(issued.token).header.keyID ?? ""
      if keyID != signer.keyID { signer = (keyID, now) }
      #expect(now - signer.since <= rule.period.wholeSeconds + 2 * 86_400, "step \(step)")
      #expect(f.service.keys.schedule.count <= 12, "step \(step)")
    }
  }

  @Test func keyOfAClockThatWasAheadIsRemoved() async throws {
    let f = try await Fixture(.memory)
    let first = f.service.keys.schedule.map(\.keyID)
    let ahead = try await f.service.keys.maintain(at: Fixture.now.advanced(bySeconds: 400 * 86_400))
    #expect(ahead.made.count == 1)
    let after = try await f.service.keys.maintain(at: Fixture.now)
    #expect(after.astray == ahead.made)
    #expect(f.service.keys.schedule.map(\.keyID) == first)
    let due = try await f.service.keys.maintain(at: Fixture.now.advanced(bySeconds: 30 * 86_400 - 3_600))
    #expect(due.made.count == 1)
  }

  @Test func keysOutliveAClockThatIsBehind() async throws {
    let f = try await Fixture(.memory, rotation: Self.rule)
    let day: Int64 = 86_400
    try await f.service.keys.maintain(at: Fixture.now.advanced(bySeconds: 30 * day))
    let keys = f.service.keys.schedule.map(\.keyID)
    #expect(keys.count == 2)
    let jane = try await f.token("jane", duration: day, at: Fixture.now.advanced(bySeconds: 30 * day + 7_200))
    for second in 0..<3 {
      try await f.service.keys.maintain(at: Timestamp(seconds: Int64(second)))
    }
    #expect(Set(f.service.keys.schedule.map(\.keyID)).isSuperset(of: keys))
    #expect(await opens(f, jane, at: Fixture.now.advanced(bySeconds: 30 * day + 7_300)) == "")
  }

  /// By a clock that is behind by more than a period, the key that signs seems to be one that was made while the clock was
  /// ahead.
  @Test func noKeyIsRemovedWithinADayOfAWrongClock() async throws {
    let f = try await Fixture(.memory, rotation: Self.rule)
    let day: Int64 = 86_400
    func at(_ days: Int64) -> Timestamp { Fixture.now.advanced(bySeconds: days * day) }
    for days in [30, 60] as [Int64] { try await f.service.keys.maintain(at: at(days), uptime: .zero) }
    let keys = f.service.keys.schedule.map(\.keyID)
    #expect(keys.count == 3)
    let now = at(60).advanced(bySeconds: 7_200)
    let jane = try await f.token("jane", duration: day, at: now)
    for hour in 0..<24 {
      let changes = try await f.service.keys.maintain(at: at(10), uptime: .seconds(hour * 3_600))
      #expect(changes.ended.isEmpty && changes.astray.isEmpty, "hour \(hour)")
    }
    try await f.service.keys.maintain(at: now, uptime: .seconds(24 * 3_600))
    #expect(Set(f.service.keys.schedule.map(\.keyID)).isSuperset(of: keys))
    #expect(await opens(f, jane, at: now) == "")
  }

  /// Sums of times do not overflow, and no key is made that never signs.
  @Test(arguments: [Int64.min, -1, 30 * 86_400 + 1, .max])
  func noticesOutsideThePeriodAreRefused(_ notice: Int64) async throws {
    let f = try await Fixture(.memory, rotation: Self.rule)
    #expect(
      await code { try await f.service.keys.rotate(notice: .seconds(notice), at: Fixture.now) }
        == "member_range")
    #expect(f.service.keys.schedule.count == 1)
  }

  @Test(arguments: [Int64.min, -1, 0, .max - 1, .max])
  func extremesOfTheClock(_ seconds: Int64) async throws {
    var rule = RotationRule(period: Duration(attoseconds: .max), notice: Duration(attoseconds: .max))
    rule.removalDelay = Duration(attoseconds: .max)
    for rule in [
      rule, RotationRule(period: .seconds(Int64.min), notice: Duration(attoseconds: .min)), Self.rule,
    ] {
      let f = try await Fixture(.memory, rotation: rule)
      try await f.service.keys.maintain(at: Timestamp(seconds: seconds))
      try await f.service.keys.rotate(at: Timestamp(seconds: seconds))
      try await f.service.keys.maintain(at: Fixture.now)
      try await f.service.keys.maintain(at: Timestamp(seconds: seconds))
      let keyID = try #require(f.service.keys.schedule.first?.keyID)
      try await f.service.keys.revoke(keyID, at: Timestamp(seconds: seconds))
      #expect(f.service.keys.schedule.isEmpty == false)
    }
  }
}
