internal import Testing
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

@testable internal import SecureRemotePassword

/// Waits after wrong passwords, with a clock that jumps.
@Suite struct CognitoLockoutTests {
  static func isLocked(_ lockout: CognitoLockout, at now: Timestamp) -> Bool {
    CognitoMaterial.code { try lockout.check(at: now) } == .lockedOut
  }

  static let clocks: [Timestamp] = [
    .earliest, .earliest + 1, -1, 0, 1, 1_788_598_987, 4_102_444_800, .latest - 900, .latest - 1, .latest,
  ]

  /// Waits without a jump of the clock.
  @Test func waits() {
    var lockout = CognitoLockout()
    for failure in 1...20 {
      lockout.fail(at: CognitoMaterial.now)
      let wait: Int64 = failure < 5 ? 0 : min(1 << Int64(min(failure - 5, 20)), 900)
      for second in [0, wait / 2, wait - 1] where second >= 0 && second < wait {
        #expect(throws: SRPError.lockedOut(remaining: .seconds(wait - second))) {
          try lockout.check(at: CognitoMaterial.now + .seconds(second))
        }
      }
      #expect(!Self.isLocked(lockout, at: CognitoMaterial.now + .seconds(wait)))
    }
    lockout.succeed()
    #expect(lockout == CognitoLockout())
  }

  /// 15 minutes without a failure forget all; a second less does not.
  @Test func quietTime() {
    for failures in [1, 4, 5, 14, 15, 30] {
      var lockout = CognitoLockout(failures: failures, lastFailure: CognitoMaterial.now)
      lockout.fail(at: CognitoMaterial.now + 899)
      #expect(lockout.failures == failures + 1)
      lockout = CognitoLockout(failures: failures, lastFailure: CognitoMaterial.now)
      lockout.fail(at: CognitoMaterial.now + 900)
      #expect(lockout == CognitoLockout(failures: 1, lastFailure: CognitoMaterial.now + 900))
      #expect(!Self.isLocked(lockout, at: CognitoMaterial.now + 900))
    }
    // A clock that went back forgets nothing.
    var lockout = CognitoLockout(failures: 7, lastFailure: CognitoMaterial.now)
    lockout.fail(at: CognitoMaterial.now - 5_000)
    #expect(lockout.failures == 8)
  }

  /// A machine whose clock is behind shortens no wait; a clock that was set back begins another one.
  @Test func clocksThatDiffer() {
    for (ahead, noted) in [(1, 1), (60, 60), (61, 0)] as [(Duration, Duration)] {
      var lockout = CognitoLockout(failures: 9, lastFailure: CognitoMaterial.now + ahead)
      lockout.fail(at: CognitoMaterial.now)
      #expect(lockout == CognitoLockout(failures: 10, lastFailure: CognitoMaterial.now + noted))
    }
  }

  /// A failure that was counted by a clock far ahead is ignored.
  @Test func aClockThatWentBack() {
    let year: Duration = 31_536_000
    let lockout = CognitoLockout(failures: 30, lastFailure: CognitoMaterial.now + year * 10)
    for now in [CognitoMaterial.now, CognitoMaterial.now + 3_600, CognitoMaterial.now + year] {
      #expect(!Self.isLocked(lockout, at: now))
    }
    // Machines whose clocks differ by a minute still share a lock.
    #expect(
      Self.isLocked(
        CognitoLockout(failures: 30, lastFailure: CognitoMaterial.now + 60), at: CognitoMaterial.now))
    #expect(
      !Self.isLocked(
        CognitoLockout(failures: 30, lastFailure: CognitoMaterial.now + 61), at: CognitoMaterial.now))
  }

  /// Whatever the clock does, no wait is longer than the limit.
  @Test(arguments: 1...4 as ClosedRange<UInt64>) func noLockOutlastsTheLongest(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let most = CognitoLockout.longest + CognitoLockout.clockDifference
    for _ in 0..<TestScale.count(2_000) {
      var lockout = CognitoLockout()
      for _ in 0..<Int.random(in: 0..<30, using: &random) {
        lockout.fail(at: Self.instant(&random))
      }
      let now = Self.instant(&random)
      if case .lockedOut(let remaining)? = Self.error(lockout, at: now) {
        #expect(remaining > .zero && remaining <= most)
        let end = now + remaining
        #expect(end == .latest || !Self.isLocked(lockout, at: end))
      }
      // A failure that is counted now locks now.
      lockout.fail(at: now)
      if lockout.failures >= 5 { #expect(Self.isLocked(lockout, at: now)) }
    }
  }

  static func error(_ lockout: CognitoLockout, at now: Timestamp) -> SRPError? {
    do { try lockout.check(at: now) } catch { return error }
    return nil
  }

  static func instant(_ random: inout SeededGenerator) -> Timestamp {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: clocks[Int.random(in: 0..<clocks.count, using: &random)]
    case 1: CognitoMaterial.now + .milliseconds(Int64.random(in: -2_000_000...2_000_000, using: &random))
    case 2: Timestamp(seconds: Int64.random(in: Timestamp.range, using: &random))
    default: CognitoMaterial.now
    }
  }
}
