internal import TokenSecurityCrypto
public import TokenSecurityEncodings

/// The hash functions of one-time codes (RFC 6238 section 1.2).
public enum OTPAlgorithm: ExactString, Sendable, Hashable, CaseIterable {
  /// What nearly all devices use. HMAC does not need what SHA-1 lost.
  case sha1 = "SHA1"
  case sha256 = "SHA256"
  case sha512 = "SHA512"

  /// The algorithm of a name whose letters are ASCII's in either case.
  package init?(anyCase name: String) {
    let capitals = name.utf8.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
    self.init(name: String(decoding: capitals, as: UTF8.self))
  }

  var digest: DigestAlgorithm {
    switch self {
    case .sha1: .sha1
    case .sha256: .sha256
    case .sha512: .sha512
    }
  }
}

/// Codes of a counter (RFC 4226). Make it once for a secret and keep it as long as the secret is at hand.
///
/// ```swift
/// let hotp = try HOTP(secret)
/// let match = try hotp.verify(typed, counter: counter)   // throws codeMismatch
/// store(match.next)                                     // before anything is let in
/// ```
public struct HOTP: Sendable {
  /// How many digits a code has: 6, 7 or 8.
  public let digits: Int
  /// The hash function.
  public let algorithm: OTPAlgorithm

  private let authenticator: MessageAuthenticator
  private let modulus: Modulus

  /// The powers of ten, each of which the compiler divides by with a product: a division of the processor's takes a time
  /// that depends on what is divided.
  private enum Modulus { case six, seven, eight }

  /// How many counters a verification may look ahead.
  public static let longestWindow = 100

  /// Prepares a secret.
  ///
  /// Throws `digitsUnsupported`, `libraryFailure`.
  public init(
    _ secret: borrowing OTPSecret, algorithm: OTPAlgorithm = .sha1, digits: Int = 6
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
  }

  /// The code for a counter, with its zeros in front.
  ///
  /// Throws `libraryFailure`.
  public func code(counter: UInt64) throws(OTPError) -> String {
    // It is shown.
    var number = Declassification.of(try number(counter))
    return unsafe String(unsafeUninitializedCapacity: digits) { output in
      for place in (0..<digits).reversed() {
        unsafe output[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number % 10)
        number /= 10
      }
      return digits
    }
  }

  /// A code that was right.
  public struct Match: Sendable, Hashable {
    /// The counter that it is for.
    public let counter: UInt64
    /// The counter to expect next; nil where there is none.
    public let next: UInt64?
  }

  /// Checks a code against `counter` and the `window` counters after it; all of them are computed and compared, whichever
  /// matches.
  ///
  /// `window`: how often the device may have been pressed in vain, 0 to 100 (RFC 4226 section 7.4).
  ///
  /// Throws `codeMalformed`, `codeMismatch`, `windowUnsupported`, `libraryFailure`.
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

  /// Finds a device that was pressed more often than a window allows: two codes that follow one another, looked for within
  /// `limit` counters from `counter` on (RFC 4226 section 7.4).
  ///
  /// Throws `codeMalformed`, `codeMismatch`, `windowUnsupported` above 10,000, `libraryFailure`.
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

  /// The digits that were typed, as a number.
  func typed(_ code: String) throws(OTPError) -> UInt32 {
    guard code.utf8.count == digits else { throw .codeMalformed(digits: digits) }
    var number: UInt32 = 0
    for digit in code.utf8 {
      guard (0x30...0x39).contains(digit) else { throw .codeMalformed(digits: digits) }
      number = number * 10 + UInt32(digit - 0x30)
    }
    return number
  }

  /// The code as a number: four bytes of the authentication code, from a place that its last half byte names, without
  /// their top bit (RFC 4226 section 5.3). The place is a secret: all are gone through.
  func number(_ counter: UInt64) throws(OTPError) -> UInt32 {
    let truncated: UInt32
    do {
      truncated = try authenticator.withCode(over: counter) { code in
        let place = UInt32(code[code.count - 1] & 0x0F)
        var word: UInt32 = 0
        for candidate in 0..<16 {
          let bytes =
            UInt32(code[candidate]) << 24 | UInt32(code[candidate + 1]) << 16 | UInt32(code[candidate + 2])
            << 8
            | UInt32(code[candidate + 3])
          word |= bytes & Self.areEqual(UInt32(candidate), place)
        }
        return word & 0x7FFF_FFFF
      }
    } catch { throw OTPError(error) }
    return switch modulus {
    case .six: truncated % 1_000_000
    case .seven: truncated % 10_000_000
    case .eight: truncated % 100_000_000
    }
  }

  /// All ones where both are the same, found without a branch.
  static func areEqual(_ a: UInt32, _ b: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: (UInt64(a ^ b) &- 1) >> 32)
  }

  /// The counter whose code matched, chosen without a branch.
  struct Selection {
    private var counter: UInt64 = 0
    private var isFound: UInt32 = 0

    /// Takes `candidate` instead of what was found where `isMatch` is all ones.
    mutating func take(_ candidate: UInt64, where isMatch: UInt32) {
      let mask = UInt64(isMatch) << 32 | UInt64(isMatch)
      counter = counter & ~mask | candidate & mask
      isFound |= isMatch
    }

    /// Takes `candidate` where `isMatch` is all ones and nothing was found before.
    mutating func takeFirst(_ candidate: UInt64, where isMatch: UInt32) {
      take(candidate, where: isMatch & ~isFound)
    }

    /// What was found: the verdict, which may be known.
    var declassified: UInt64? {
      Declassification.of(isFound) == 0 ? nil : Declassification.of(counter)
    }
  }
}
