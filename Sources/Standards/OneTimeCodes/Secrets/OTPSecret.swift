internal import TokenSecurityBase
public import TokenSecurityCrypto

/// The secret that is shared by a user's device and the service.
public struct OTPSecret: ~Copyable, Sendable {
  /// The bytes.
  public let bytes: SecretBytes
  /// The differences to RFC 4648 of the text that the secret was read from.
  public let deviations: Set<Deviation>

  /// The minimum size in bytes: 128 bits (RFC 4226 section 4, R6).
  public static let leastSize = 16
  /// The recommended size in bytes: 160 bits (RFC 4226 section 4, R6).
  public static let standardSize = 20
  /// The maximum size in bytes.
  public static let limit = 1_024

  /// Whether secrets of fewer than 128 bits are accepted.
  public enum Strength: Sendable, Hashable {
    /// Refuses them.
    case standard
    /// Accepts them, for secrets that another service has issued, with a reason.
    case weakAccepted(because: String)
  }

  /// Generates a secret.
  ///
  /// - Parameter size: the size in bytes. Default: 20; use 32 for SHA-256 and 64 for SHA-512.
  /// - Returns: random bytes.
  /// - Throws: `secretTooShort`, `secretTooLong`, `randomUnavailable`.
  public static func random(size: Int = standardSize) throws(OTPError) -> OTPSecret {
    try check(size, .standard)
    do {
      return OTPSecret(checked: try Random.secretBytes(count: size))
    } catch { throw OTPError(error) }
  }

  /// Creates a secret from bytes.
  ///
  /// - Parameters:
  ///   - bytes: the secret.
  ///   - strength: whether fewer than 128 bits are accepted. Default: no.
  /// - Throws: `secretTooShort`, `secretTooLong`.
  public init(_ bytes: borrowing SecretBytes, strength: Strength = .standard) throws(OTPError) {
    try Self.check(bytes.count, strength)
    self.init(checked: bytes.clone())
  }

  /// The accepted forms of base32.
  public enum Form: Sendable, Hashable {
    /// Uppercase with padding (RFC 4648 section 6).
    case strict
    /// As users type it, and as applications read it: any case, spaces and hyphens, with or without padding, and with bits
    /// after the last byte. What differs from RFC 4648 is in ``OTPSecret/deviations``.
    case typed
  }

  /// A difference between a text and base32 of RFC 4648 section 6, without another meaning.
  public enum Deviation: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// Small letters.
    case smallLetters
    /// Spaces or hyphens.
    case separators
    /// The last character has bits after the last byte that are not zero. They are dropped.
    case trailingBits

    /// One sentence.
    public var description: String {
      switch self {
      case .smallLetters: "the secret has small letters"
      case .separators: "the secret has spaces or hyphens"
      case .trailingBits: "the secret's last character has bits after the last byte, which are dropped"
      }
    }
  }

  /// Decodes a secret in base32. The time depends only on the text's length and its spaces.
  ///
  /// - Parameters:
  ///   - text: the secret in base32.
  ///   - form: the accepted form. Default: as users type it.
  ///   - strength: whether fewer than 128 bits are accepted. Default: no.
  /// - Throws: `base32Character`, `base32Length`, `base32Padding`, `secretTooShort`, `secretTooLong`;
  ///   `base32TrailingBits` in the strict form.
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
    var (count, differences): (Int, Base32.Deviations) = (0, [])
    let bytes: SecretBytes
    do {
      bytes = try SecretBytes(count: Base32.size(of: text.count)) { output throws(BaseEncodingError) in
        (count, differences) = try Base32.decode(text, form, into: &output) { Declassification.of($0) != 0 }
      }
    } catch { throw OTPError(error) }
    try Self.check(count, strength)
    var deviations: Set<Deviation> = []
    if differences.contains(.smallLetters) { deviations.insert(.smallLetters) }
    if differences.contains(.separators) { deviations.insert(.separators) }
    if differences.contains(.trailingBits) { deviations.insert(.trailingBits) }
    self.init(checked: bytes.withBytes { SecretBytes($0.extracting(first: count)) }, deviations)
  }

  private init(checked bytes: consuming SecretBytes, _ deviations: Set<Deviation> = []) {
    self.bytes = bytes
    self.deviations = deviations
  }

  private static func check(_ size: Int, _ strength: Strength) throws(OTPError) {
    let least = strength == .standard ? leastSize : 1
    guard size >= least else { throw .secretTooShort(bits: max(0, size) * 8, least: least * 8) }
    guard size <= limit else { throw .secretTooLong(size: size, limit: limit) }
  }

  /// The secret in base32, for users who cannot scan a QR code.
  ///
  /// - Returns: uppercase text without padding.
  public borrowing func base32() -> SecretBytes {
    SecretBytes(count: Base32.length(of: bytes.count)) { output in
      bytes.withBytes { Base32.encode($0, into: &output) }
    }
  }

  /// Copies the secret.
  ///
  /// - Returns: a copy, which is wiped separately.
  public borrowing func clone() -> OTPSecret { OTPSecret(checked: bytes.clone(), deviations) }
}

extension OTPSecret {
  /// Unavailable: the memory of a `String` cannot be wiped.
  @available(
    *, unavailable, message: "write OTPSecret(base32: SecretBytes(text))"
  )
  public init(base32 text: String, form: Form = .typed, strength: Strength = .standard) throws(OTPError) {
    throw .base32Length(text.utf8.count)
  }
}
