/// Time-based one-time passwords (RFC 6238). Create one value for a secret and reuse it.
///
/// ```swift
/// let totp = try TOTP(secret: secret)
/// let match = try totp.verify(typed, state: state)   // throws codeMismatch, codeUsed
/// store(match.state)                                  // before the user is let in
/// ```
public struct TOTP: Sendable {
  /// Computes the code of a step.
  public let hotp: HOTP
  /// T0, the start of the first step.
  public let epoch: Timestamp
  private let periodSeconds: Int64

  /// X, how long a code is shown.
  public var period: Duration { .seconds(periodSeconds) }

  /// Prepares a secret.
  ///
  /// - Parameters:
  ///   - secret: the user's secret.
  ///   - algorithm: the hash function. Default: SHA-1, as in most devices.
  ///   - digits: the number of digits of a code, 6 to 8.
  ///   - period: how long a code is shown, 1 to 86,400 whole seconds.
  ///   - epoch: the start of the first step. Default: 1970.
  /// - Throws: `digitsUnsupported`, `periodUnsupported`, `libraryFailure`.
  public init(
    secret: borrowing OTPSecret, algorithm: OTPAlgorithm = .sha1, digits: Int = 6,
    period: Duration = .seconds(30), epoch: Timestamp = Timestamp(since1970: .zero)
  ) throws(OTPError) {
    try Self.check(period: period)
    hotp = try HOTP(secret: secret, algorithm: algorithm, digits: digits)
    periodSeconds = period.wholeSeconds
    self.epoch = epoch
  }

  /// Prepares a secret for codes in Steam's form, with SHA-1.
  ///
  /// - Parameters:
  ///   - secret: the user's secret.
  ///   - period: how long a code is shown, 1 to 86,400 whole seconds. Default: Steam's 30.
  /// - Throws: `periodUnsupported`, `libraryFailure`.
  public init(steam secret: borrowing OTPSecret, period: Duration = .seconds(30)) throws(OTPError) {
    try Self.check(period: period)
    hotp = try HOTP(steam: secret)
    periodSeconds = period.wholeSeconds
    epoch = Timestamp(since1970: .zero)
  }

  static func check(period: Duration) throws(OTPError) {
    guard period.isWholeSeconds, (1...86_400).contains(period.wholeSeconds) else {
      throw .periodUnsupported(period)
    }
  }

  /// T, the number of the step at an instant.
  ///
  /// - Parameter now: the instant.
  /// - Returns: the number of whole periods since ``epoch``.
  /// - Throws: `timeBeforeEpoch`.
  public func step(at now: Timestamp = .now) throws(OTPError) -> UInt64 {
    UInt64(try elapsed(at: now) / periodSeconds)
  }

  /// How long the current code is still shown.
  ///
  /// - Parameter now: the current time.
  /// - Returns: whole seconds, from 1 second to the period.
  /// - Throws: `timeBeforeEpoch`.
  public func timeLeft(at now: Timestamp = .now) throws(OTPError) -> Duration {
    .seconds(periodSeconds - (try elapsed(at: now)) % periodSeconds)
  }

  /// Whole seconds since ``epoch``.
  private func elapsed(at now: Timestamp) throws(OTPError) -> Int64 {
    // The difference of two timestamps never overflows.
    let elapsed = now.seconds - epoch.seconds
    guard elapsed >= 0 else { throw .timeBeforeEpoch(now, epoch: epoch) }
    return elapsed
  }

  /// The code at an instant.
  ///
  /// - Parameter now: the instant.
  /// - Returns: the digits, with leading zeros, or the characters of Steam's form.
  /// - Throws: `timeBeforeEpoch`, `libraryFailure`.
  public func code(at now: Timestamp = .now) throws(OTPError) -> String {
    try hotp.code(counter: step(at: now))
  }

  /// The accepted steps before and after the current one.
  public struct Window: Sendable, Hashable {
    /// Steps into the past, 0 to 100.
    public var past: Int
    /// Steps into the future, 0 to 100.
    public var future: Int
    /// The largest tracked drift of a device's clock in either direction, 0 to 100 steps.
    ///
    /// No code older than `past` plus this is accepted, which limits how long an attacker can delay codes.
    public var drift: Int

    /// Creates a window.
    ///
    /// - Parameters:
    ///   - past: steps into the past, 0 to 100.
    ///   - future: steps into the future, 0 to 100.
    ///   - drift: the largest tracked drift, 0 to 100 steps. Default: 20.
    public init(past: Int, future: Int, drift: Int = 20) {
      self.past = past
      self.future = future
      self.drift = drift
    }

    /// The present step only, without tracking of drift.
    public static let none = Window(past: 0, future: 0, drift: 0)

    /// One step before and one after, as RFC 6238 section 5.2 recommends for network delay.
    public static let one = Window(past: 1, future: 1)

    func contains(_ offset: Int) -> Bool { (-past...future).contains(offset) }
  }

  /// The state to store for each user between two codes.
  public struct State: Sendable, Hashable, Codable {
    /// The last used step: neither it nor an earlier one is accepted again.
    public var lastStep: UInt64?
    /// The estimated drift of the device's clock in steps; negative for a slow clock. Changes by at most one
    /// step for each code.
    public var drift: Int

    /// Creates a state from stored values. Default: the state of a new user.
    public init(lastStep: UInt64? = nil, drift: Int = 0) {
      self.lastStep = lastStep
      self.drift = drift
    }
  }

  /// The result of verifying a right code.
  public struct Match: Sendable, Hashable {
    /// The step of the code.
    public let step: UInt64
    /// The current step.
    public let present: UInt64
    /// The state to store.
    public let state: State

    /// Steps from the current step to the code's; negative for a slow clock or a delayed code.
    public var drift: Int { Int(truncatingIfNeeded: step &- present) }
  }

  /// A check without the state that makes a code serve once. The compiler refuses it.
  @_disfavoredOverload
  @available(*, unavailable, message: "verify returns a Match: store match.state, so that a code serves once")
  public func verify(_ code: String, at now: Timestamp = .now) throws(OTPError) -> Bool { false }

  /// Checks a code against the steps of two windows: one around the current step, one around the step that
  /// the device's clock shows according to the stored drift. Always computes and compares all of them. The
  /// last used step and earlier ones are refused (RFC 6238 section 5.2).
  ///
  /// Because of the first window, a device with the right time is always accepted. Each accepted code changes
  /// the stored drift by at most one step towards the code's own, and never beyond `window.drift`.
  ///
  /// - Parameters:
  ///   - code: the digits that the user typed, or the characters of Steam's form.
  ///   - now: the current time.
  ///   - window: the accepted steps.
  ///   - state: the stored state of the user.
  /// - Returns: the step of the code, and the state to store before the user is let in.
  /// - Throws: `codeMalformed`, `codeMismatch`, `codeUsed`, `windowUnsupported`, `timeBeforeEpoch`,
  ///   `libraryFailure`.
  public func verify(
    _ code: String, at now: Timestamp = .now, window: Window = .one, state: State = State()
  ) throws(OTPError) -> Match {
    for steps in [window.past, window.future, window.drift] where !(0...HOTP.longestWindow).contains(steps) {
      throw .windowUnsupported(steps)
    }
    let typed = try hotp.typed(code)
    let present = try step(at: now)
    // The stored drift may exceed the window.
    let drift = min(max(state.drift, -window.drift), window.drift)
    let offsets = (min(0, drift) - window.past)...(max(0, drift) + window.future)
    var fresh = HOTP.Selection()
    var used = HOTP.Selection()
    for offset in offsets.reversed() {
      guard window.contains(offset) || window.contains(offset - drift) else { continue }
      let (step, overflow) =
        offset < 0
        ? present.subtractingReportingOverflow(UInt64(-offset))
        : present.addingReportingOverflow(UInt64(offset))
      guard !overflow else { continue }
      let isMatch = HOTP.areEqual(try hotp.number(step), typed)
      if let last = state.lastStep, step <= last {
        used.take(step, where: isMatch)
      } else {
        // From the latest to the earliest: of two steps with the same code, the earlier one counts.
        fresh.take(step, where: isMatch)
      }
    }
    guard let step = fresh.declassified else {
      if let step = used.declassified { throw .codeUsed(step: step) }
      throw .codeMismatch
    }
    let distance = Int(truncatingIfNeeded: step &- present)
    // One step at a time, because a delayed code says little about the device's clock.
    let moved = drift + (distance - drift).signum()
    return Match(
      step: step, present: present,
      state: State(lastStep: step, drift: min(max(moved, -window.drift), window.drift)))
  }
}
