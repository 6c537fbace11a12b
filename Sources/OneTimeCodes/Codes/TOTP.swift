/// Time-based one-time passwords (RFC 6238). Make it once for a secret and keep it as long as the secret is at hand.
///
/// ```swift
/// let totp = try TOTP(secret)
/// let match = try totp.verify(typed, state: state)   // throws codeMismatch, codeUsed
/// store(match.state)                                  // before anything is let in
/// ```
public struct TOTP: Sendable {
  /// How the code of a step is made.
  public let hotp: HOTP
  /// When the first step begins: T0.
  public let epoch: Timestamp
  private let periodSeconds: Int64

  /// How long a code is shown: X.
  public var period: Duration { .seconds(periodSeconds) }

  /// Prepares a secret.
  ///
  /// - Parameters:
  ///   - secret: the user's secret.
  ///   - algorithm: the hash function.
  ///   - digits: how many digits a code has, 6 to 8.
  ///   - period: how long a code is shown, 1 to 86,400 whole seconds.
  ///   - epoch: when the first step begins. Default: 1970.
  /// - Throws: `digitsUnsupported`, `periodUnsupported`, `libraryFailure`.
  public init(
    _ secret: borrowing OTPSecret, algorithm: OTPAlgorithm = .sha1, digits: Int = 6,
    period: Duration = .seconds(30), epoch: Timestamp = Timestamp(since1970: .zero)
  ) throws(OTPError) {
    try Self.check(period: period)
    hotp = try HOTP(secret, algorithm: algorithm, digits: digits)
    periodSeconds = period.wholeSeconds
    self.epoch = epoch
  }

  static func check(period: Duration) throws(OTPError) {
    guard period.isWholeSeconds, (1...86_400).contains(period.wholeSeconds) else {
      throw .periodUnsupported(period)
    }
  }

  /// The number of the step at an instant: T.
  ///
  /// - Throws: `timeBeforeEpoch`.
  public func step(at now: Timestamp = .now) throws(OTPError) -> UInt64 {
    UInt64(try elapsed(at: now) / periodSeconds)
  }

  /// How long the code of an instant is still shown, in whole seconds: 1 second to the period.
  ///
  /// - Throws: `timeBeforeEpoch`.
  public func timeLeft(at now: Timestamp = .now) throws(OTPError) -> Duration {
    .seconds(periodSeconds - (try elapsed(at: now)) % periodSeconds)
  }

  /// Whole seconds since the first step began.
  private func elapsed(at now: Timestamp) throws(OTPError) -> Int64 {
    // No difference of two timestamps overflows.
    let elapsed = now.seconds - epoch.seconds
    guard elapsed >= 0 else { throw .timeBeforeEpoch(now, epoch: epoch) }
    return elapsed
  }

  /// The code that is shown at an instant.
  ///
  /// - Throws: `timeBeforeEpoch`, `libraryFailure`.
  public func code(at now: Timestamp = .now) throws(OTPError) -> String {
    try hotp.code(counter: step(at: now))
  }

  /// How many steps before and after the present a code may be for.
  public struct Window: Sendable, Hashable {
    /// Steps into the past, 0 to 100.
    public var past: Int
    /// Steps into the future, 0 to 100.
    public var future: Int
    /// How many steps a device's clock is followed in either direction, 0 to 100.
    ///
    /// A code is older than `past` and this together only if it is refused: that is how long a relay that collects codes
    /// and delays them can make its codes live.
    public var drift: Int

    /// By default a clock is followed for 20 steps.
    public init(past: Int, future: Int, drift: Int = 20) {
      self.past = past
      self.future = future
      self.drift = drift
    }

    /// The present step alone; no clock is followed.
    public static let none = Window(past: 0, future: 0, drift: 0)
    /// True where a step is one of the window's.
    func contains(_ offset: Int) -> Bool { (-past...future).contains(offset) }

    /// One step before and one after, which RFC 6238 section 5.2 recommends for the time that a code is on its way.
    public static let one = Window(past: 1, future: 1)
  }

  /// What is kept for each user between two codes.
  public struct State: Sendable, Hashable {
    /// The last step that was used: neither it nor one before it is taken again.
    public var lastStep: UInt64?
    /// How many steps the device's clock is taken to be ahead; negative where it is behind. It moves by one step at most
    /// for each code.
    public var drift: Int

    /// Nothing known yet, or what was stored.
    public init(lastStep: UInt64? = nil, drift: Int = 0) {
      self.lastStep = lastStep
      self.drift = drift
    }
  }

  /// A code that was right.
  public struct Match: Sendable, Hashable {
    /// The step that it is for.
    public let step: UInt64
    /// The step of the instant at which it was checked.
    public let present: UInt64
    /// What to keep.
    public let state: State

    /// How many steps after the present this code's step is. Where it is before, the number is negative, and the device's
    /// clock is slow or the code was on its way for so long.
    public var drift: Int { Int(truncatingIfNeeded: step &- present) }
  }

  /// Checks a code against every step of the window around the present, and of the window around the drift that is known;
  /// all of them are computed and compared, whichever matches. A step that was used, and all before it, are refused (RFC
  /// 6238 section 5.2).
  ///
  /// The window around the present is never left: a device whose clock is right, or was put right, is always accepted.
  /// Each code moves the drift by at most one step towards its own distance, and never beyond `window.drift`.
  ///
  /// - Parameters:
  ///   - code: what the user typed.
  ///   - now: the present.
  ///   - window: the steps that a code may be for.
  ///   - state: what was stored after the user's last code.
  /// - Returns: the step of the code, and the state to store before the user is let in.
  /// - Throws: `codeMalformed`, `codeMismatch`, `codeUsed`, `windowUnsupported`, `timeBeforeEpoch`, `libraryFailure`.
  public func verify(
    _ code: String, at now: Timestamp = .now, window: Window = .one, state: State = State()
  ) throws(OTPError) -> Match {
    for steps in [window.past, window.future, window.drift] where !(0...HOTP.longestWindow).contains(steps) {
      throw .windowUnsupported(steps)
    }
    let typed = try hotp.typed(code)
    let present = try step(at: now)
    // A drift that was stored cannot lead further than the window says.
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
        // From the latest to the earliest: of two steps with the same code the earlier one counts.
        fresh.take(step, where: isMatch)
      }
    }
    guard let step = fresh.declassified else {
      if let step = used.declassified { throw .codeUsed(step: step) }
      throw .codeMismatch
    }
    let distance = Int(truncatingIfNeeded: step &- present)
    // One step at a time: a code that was late says little about the device's clock.
    let moved = drift + (distance - drift).signum()
    return Match(
      step: step, present: present,
      state: State(lastStep: step, drift: min(max(moved, -window.drift), window.drift)))
  }
}
