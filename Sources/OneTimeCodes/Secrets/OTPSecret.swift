public import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// The secret that a user's device and the service share.
public struct OTPSecret: ~Copyable, Sendable {
  /// The bytes.
  public let bytes: SecretBytes

  /// The least that RFC 4226 allows, in bytes: 128 bits (section 4, R6).
  public static let leastSize = 16
  /// What RFC 4226 recommends, in bytes: 160 bits.
  public static let standardSize = 20
  /// The most that is taken, in bytes.
  public static let limit = 1_024

  /// What to do with a secret of fewer than 128 bits.
  public enum Strength: Sendable, Hashable {
    /// Refuse it.
    case standard
    /// Take it, for codes that others have begun with: it can be guessed sooner than it should.
    case weakAccepted(because: String)
  }

  /// A new one of `size` random bytes, 20 unless said otherwise; 32 and 64 suit SHA-256 and SHA-512.
  ///
  /// Throws `secretTooShort`, `secretTooLong`, `randomUnavailable`.
  public static func random(size: Int = standardSize) throws(OTPError) -> OTPSecret {
    try check(size, .standard)
    do {
      return OTPSecret(
        checked: try Random.secretBytes(count: size))
    } catch { throw OTPError(error) }
  }

  /// One that is known.
  ///
  /// Throws `secretTooShort`, `secretTooLong`.
  public init(_ bytes: borrowing SecretBytes, strength: Strength = .standard) throws(OTPError) {
    try Self.check(bytes.count, strength)
    self.init(checked: bytes.clone())
  }

  /// How base32 may be written.
  public enum Form: Sendable, Hashable {
    /// Capitals with padding (RFC 4648 section 6).
    case strict
    /// Any case, spaces and hyphens between groups, no padding or the right one: as people type it.
    case typed
  }

  /// One in base32. The text is gone through in time that depends on its length and its spaces alone.
  ///
  /// Throws `base32Character`, `base32Length`, `base32Padding`, `base32TrailingBits`, `secretTooShort`, `secretTooLong`.
  public init(
    base32 text: borrowing SecretBytes, form: Form = .typed, strength: Strength = .standard
  ) throws(OTPError) {
    self = try text.withBytes { text throws(OTPError) in
      try OTPSecret(base32: text, form == .strict ? .strict : .typed, strength)
    }
  }

  init(
    base32 text: borrowing Span<UInt8>, _ form: Base32.Form, _ strength: Strength
  ) throws(OTPError) {
    guard text.count <= 2 * Self.limit else {
      throw .secretTooLong(size: Base32.size(of: text.count), limit: Self.limit)
    }
    var count = 0
    let bytes: SecretBytes
    do {
      bytes = try SecretBytes(count: Base32.size(of: text.count)) { output throws(BaseEncodingError) in
        count = try Base32.decode(text, form, into: &output) { Declassification.of($0) != 0 }
      }
    } catch { throw OTPError(error) }
    try Self.check(count, strength)
    self.init(checked: bytes.withBytes { SecretBytes($0.extracting(first: count)) })
  }

  private init(checked bytes: consuming SecretBytes) { self.bytes = bytes }

  private static func check(_ size: Int, _ strength: Strength) throws(OTPError) {
    let least = strength == .standard ? leastSize : 1
    guard size >= least else { throw .secretTooShort(bits: max(0, size) * 8, least: least * 8) }
    guard size <= limit else { throw .secretTooLong(size: size, limit: limit) }
  }

  /// The secret in base32, capitals without padding: what a user types where nothing can be scanned.
  public borrowing func base32() -> SecretBytes {
    SecretBytes(count: Base32.length(of: bytes.count)) { output in
      bytes.withBytes { Base32.encode($0, into: &output) }
    }
  }

  /// Another wiped copy.
  public borrowing func clone() -> OTPSecret { OTPSecret(checked: bytes.clone()) }
}

extension OTPSecret {
  /// Unavailable: the memory of a `String` cannot be wiped.
  @available(*, unavailable, message: "read bytes: [UInt8] and write OTPSecret(base32: SecretBytes(wiping: &bytes))")
  public init(base32 text: String, form: Form = .typed, strength: Strength = .standard) throws(OTPError) {
    throw .base32Length(text.utf8.count)
  }
}
