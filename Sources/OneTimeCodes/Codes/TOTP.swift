/// Codes of the time (RFC 6238). Make it once for a secret and keep it as long as the secret is at hand.
///
/// ```swift
/// let totp = try TOTP(secret)
/// let match = try totp.verify(typed, at: now, state: stored)   // throws codeMismatch, codeUsed
/// store(match.state)                                           // before anything is let in
/// ```
public struct TOTP: Sendable {
  /// How the code of a step is made.
  public let hotp: HOTP
  /// How long a code is shown, in seconds: X.
  public let period: Int64
  /// Where the first step begins, in seconds since 1970: T0.
  public let epoch: Int64

  /// Prepares a secret; SHA-1, 6 digits, 30 seconds from 1970 on unless said otherwise.
  ///
  /// Throws `digitsUnsupported`, `periodUnsupported`, `libraryFailure`.
  public init(
    _ secret: borrowing OTPSecret, algorithm: OTPAlgorithm = .sha1, digits: Int = 6, period: Int64 = 30,
    epoch: Int64 = 0
  ) throws(OTPError) {
    guard (1...86_400).contains(period) else { throw .periodUnsupported(period) }
    hotp = try HOTP(secret, algorithm: algorithm, digits: digits)
    self.period = period
    self.epoch = epoch
  }

  /// The step that an instant lies in: T.
  ///
  /// `seconds`: since 1970.
  ///
  /// Throws `timeBeforeEpoch`, `timeOutOfRange`.
  public func step(at seconds: Int64) throws(OTPError) -> UInt64 {
    guard seconds >= epoch else { throw .timeBeforeEpoch(seconds, epoch: epoch) }
    let (elapsed, overflow) = seconds.subtractingReportingOverflow(epoch)
    guard !overflow else { throw .timeOutOfRange(seconds) }
    return UInt64(elapsed / period)
  }

  /// How many seconds the code of an instant is still shown: 1 up to the period.
  ///
  /// Throws what ``step(at:)`` does.
  public func secondsLeft(at seconds: Int64) throws(OTPError) -> Int64 {
    _ = try step(at: seconds)
    return period - (seconds - epoch) % period
  }

  /// The code that is shown at an instant.
  ///
  /// Throws `timeBeforeEpoch`, `timeOutOfRange`, `libraryFailure`.
  public func code(at seconds: Int64) throws(OTPError) -> String {
    try hotp.code(counter: step(at: seconds))
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
  /// Throws `codeMalformed`, `codeMismatch`, `codeUsed`, `windowUnsupported`, `timeBeforeEpoch`, `timeOutOfRange`,
  /// `libraryFailure`.
  public func verify(
    _ code: String, at seconds: Int64, window: Window = .one, state: State = State()
  ) throws(OTPError) -> Match {
    for steps in [window.past, window.future, window.drift] where !(0...HOTP.longestWindow).contains(steps) {
      throw .windowUnsupported(steps)
    }
    let typed = try hotp.typed(code)
    let present = try step(at: seconds)
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
