public import TokenSecurityBase
internal import TokenSecurityCrypto

/// The hash functions of one-time codes (RFC 6238 section 1.2).
public enum OTPAlgorithm: ExactString, Sendable, Hashable, CaseIterable {
  /// Used by nearly all devices. HMAC does not depend on collision resistance, which SHA-1 lacks.
  case sha1 = "SHA1"
  case sha256 = "SHA256"
  case sha512 = "SHA512"

  /// The algorithm with a name, ignoring the case of ASCII letters.
  package init?(anyCase name: String) {
    let name = name.lowercasedASCII
    guard let algorithm = Self.allCases.first(where: { $0.name.lowercasedASCII == name }) else { return nil }
    self = algorithm
  }

  var digest: DigestAlgorithm {
    switch self {
    case .sha1: .sha1
    case .sha256: .sha256
    case .sha512: .sha512
    }
  }
}

/// Counter-based one-time passwords (RFC 4226). Create one value for a secret and reuse it.
///
/// ```swift
/// let hotp = try HOTP(secret: secret)
/// let match = try hotp.verify(typed, counter: counter)   // throws codeMismatch
/// store(match.next)                                     // before the user is let in
/// ```
public struct HOTP: Sendable {
  /// The number of digits of a code: 6, 7 or 8, or 5 characters of Steam's form.
  public let digits: Int
  /// How codes are written.
  public let form: OTPCodeForm
  /// The hash function.
  public let algorithm: OTPAlgorithm

  private let authenticator: MessageAuthenticator
  private let modulus: Modulus

  /// The powers of ten as constants, for which the compiler divides by a multiplication: the time of the
  /// processor's division depends on its operands.
  private enum Modulus { case six, seven, eight, steam }

  /// The largest window of a verification.
  public static let longestWindow = 100

  /// Prepares a secret.
  ///
  /// - Parameters:
  ///   - secret: the user's secret.
  ///   - algorithm: the hash function. Default: SHA-1, as in most devices.
  ///   - digits: the number of digits of a code, 6 to 8.
  /// - Throws: `digitsUnsupported`, `libraryFailure`.
  public init(
    secret: borrowing OTPSecret, algorithm: OTPAlgorithm = .sha1, digits: Int = 6
  ) throws(OTPError) {
    switch digits {
    case 6: modulus = .six
    case 7: modulus = .seven
    case 8: modulus = .eight
    default: throw .digitsUnsupported(digits)
    }
    do {
      authenticator = try MessageAuthenticator(key: secret.bytes, digest: algorithm.digest)
    } catch { throw OTPError(error) }
    self.algorithm = algorithm
    self.digits = digits
    form = .decimal
  }

  /// Prepares a secret for codes in Steam's form, with SHA-1.
  ///
  /// - Parameter secret: the user's secret.
  /// - Throws: `libraryFailure`.
  public init(steam secret: borrowing OTPSecret) throws(OTPError) {
    do {
      authenticator = try MessageAuthenticator(key: secret.bytes, digest: OTPAlgorithm.sha1.digest)
    } catch { throw OTPError(error) }
    algorithm = .sha1
    modulus = .steam
    digits = SteamCode.length
    form = .steam
  }

  /// The code for a counter.
  ///
  /// - Parameter counter: the counter.
  /// - Returns: ``digits`` digits, with leading zeros, or the characters of Steam's form.
  /// - Throws: `libraryFailure`.
  public func code(counter: UInt64) throws(OTPError) -> String {
    // The code is shown, so that its digits are public.
    var number = Declassification.of(try number(counter))
    guard form == .decimal else { return SteamCode.text(number) }
    return unsafe String(unsafeUninitializedCapacity: digits) { output in
      for index in (0..<digits).reversed() {
        unsafe output[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10)
        number /= 10
      }
      return digits
    }
  }

  /// The result of verifying a right code.
  public struct Match: Sendable, Hashable {
    /// The counter of the code.
    public let counter: UInt64
    /// The counter to store for the next verification; nil after the last counter.
    public let next: UInt64?
  }

  /// Checks a code against `counter` and the `window` counters after it. Always computes and compares all of
  /// them.
  ///
  /// - Parameters:
  ///   - code: the digits that the user typed.
  ///   - counter: the next counter, from the store.
  ///   - window: how many unused codes the device may have shown, 0 to 100 (RFC 4226 section 7.4).
  /// - Returns: the counter of the code, and the next counter, to store before the user is let in.
  /// - Throws: `codeMalformed`, `codeMismatch`, `windowUnsupported`, `libraryFailure`.
  public func verify(_ code: String, counter: UInt64, window: Int = 10) throws(OTPError) -> Match {
    guard (0...Self.longestWindow).contains(window) else { throw .windowUnsupported(window) }
    let typed = try typed(code)
    let last = counter.addingReportingOverflow(UInt64(window))
    var found = Selection()
    var candidate = last.overflow ? .max : last.partialValue
    while true {
      found.take(candidate, where: Self.areEqual(try number(candidate), typed))
      guard candidate > counter else { break }
      candidate -= 1
    }
    guard let counter = found.declassified else { throw .codeMismatch }
    return Match(counter: counter, next: counter == .max ? nil : counter + 1)
  }

  /// Finds the counter of a device that is further ahead than a window, by two consecutive codes (RFC 4226
  /// section 7.4).
  ///
  /// - Parameters:
  ///   - first: a code.
  ///   - second: the next code of the same device.
  ///   - counter: the next counter, from the store.
  ///   - limit: how many counters to search, at most 10,000.
  /// - Returns: the counter of the second code, and the next counter to store.
  /// - Throws: `codeMalformed`, `codeMismatch`, `windowUnsupported`, `libraryFailure`.
  public func resynchronize(
    _ first: String, _ second: String, counter: UInt64, limit: Int = 1_000
  ) throws(OTPError) -> Match {
    guard (0...10_000).contains(limit) else { throw .windowUnsupported(limit) }
    let typed = (try typed(first), try typed(second))
    var found = Selection()
    var before: UInt32 = 0
    for offset in 0...UInt64(limit) {
      let (candidate, overflow) = counter.addingReportingOverflow(offset)
      guard !overflow else { break }
      let number = try number(candidate)
      found.takeFirst(candidate, where: before & Self.areEqual(number, typed.1))
      before = Self.areEqual(number, typed.0)
    }
    guard let counter = found.declassified else { throw .codeMismatch }
    return Match(counter: counter, next: counter == .max ? nil : counter + 1)
  }

  /// Parses the typed digits.
  func typed(_ code: String) throws(OTPError) -> UInt32 {
    guard form == .decimal else { return try SteamCode.number(code) }
    guard code.utf8.count == digits else { throw .codeMalformed(digits: digits) }
    var number: UInt32 = 0
    for digit in code.utf8 {
      guard (0x30...0x39).contains(digit) else { throw .codeMalformed(digits: digits) }
      number = number * 10 + UInt32(digit - 0x30)
    }
    return number
  }

  /// The code as a number: four bytes of the HMAC at the offset in its last four bits, without the top bit
  /// (RFC 4226 section 5.3). The offset is secret, so that all offsets are read.
  func number(_ counter: UInt64) throws(OTPError) -> UInt32 {
    let truncated: UInt32
    do {
      truncated = try authenticator.withCode(over: counter) { code in
        let offset = UInt32(code[code.count - 1] & 0x0F)
        var word: UInt32 = 0
        for candidate in 0..<16 {
          let bytes =
            UInt32(code[candidate]) << 24 | UInt32(code[candidate + 1]) << 16 | UInt32(code[candidate + 2])
            << 8
            | UInt32(code[candidate + 3])
          word |= bytes & Self.areEqual(UInt32(candidate), offset)
        }
        return word & 0x7FFF_FFFF
      }
    } catch { throw OTPError(error) }
    return switch modulus {
    case .six: truncated % 1_000_000
    case .seven: truncated % 10_000_000
    case .eight: truncated % 100_000_000
    case .steam: truncated % SteamCode.count
    }
  }

  /// All ones for equal numbers, zero for others, without a branch.
  static func areEqual(_ a: UInt32, _ b: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: (UInt64(a ^ b) &- 1) >> 32)
  }

  /// The counter whose code matched, selected without a branch.
  struct Selection {
    private var counter: UInt64 = 0
    private var isFound: UInt32 = 0

    /// Selects `candidate` if `isMatch` is all ones.
    mutating func take(_ candidate: UInt64, where isMatch: UInt32) {
      let mask = UInt64(isMatch) << 32 | UInt64(isMatch)
      counter = counter & ~mask | candidate & mask
      isFound |= isMatch
    }

    /// Selects `candidate` if `isMatch` is all ones and nothing is selected yet.
    mutating func takeFirst(_ candidate: UInt64, where isMatch: UInt32) {
      take(candidate, where: isMatch & ~isFound)
    }

    /// The selected counter; nil without a match. The result of a verification is public.
    var declassified: UInt64? {
      Declassification.of(isFound) == 0 ? nil : Declassification.of(counter)
    }
  }
}
