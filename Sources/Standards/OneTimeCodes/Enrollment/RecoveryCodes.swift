internal import TokenSecurityBase
public import TokenSecurityCrypto

/// Single-use codes for users who have lost their device. Only HMACs of the codes under a key of the service
/// are stored, so that the store alone does not allow a search for the codes.
///
/// A code is 80 random bits as four groups of four letters and digits (Crockford's base32, without I, L, O
/// and U).
public struct RecoveryCodes: Sendable, Hashable {
  /// The HMACs of the unused codes, 32 bytes each.
  public private(set) var digests: [[UInt8]]

  /// The number of unused codes.
  public var count: Int { digests.count }

  /// Maximum number of codes in a set.
  public static let limit = 100

  private static let alphabet = [UInt8]("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// The service's key for the HMACs.
  public struct Key: Sendable {
    fileprivate let authenticator: MessageAuthenticator

    /// Prepares a key.
    ///
    /// - Parameter key: at least 32 random bytes, kept apart from the store.
    /// - Throws: `secretTooShort`, `libraryFailure`.
    public init(_ key: borrowing SecretBytes) throws(OTPError) {
      guard key.count >= 32 else { throw .secretTooShort(bits: key.count * 8, least: 256) }
      do {
        authenticator = try MessageAuthenticator(key: key, digest: .sha256)
      } catch { throw OTPError(error) }
    }
  }

  /// A new set and its codes.
  public struct Generated: ~Copyable, Sendable {
    /// The set to store.
    public let codes: RecoveryCodes
    /// The codes to show once, one per line.
    public let text: SecretBytes

    fileprivate init(codes: RecoveryCodes, text: consuming SecretBytes) {
      self.codes = codes
      self.text = text
    }
  }

  /// Generates codes.
  ///
  /// - Parameters:
  ///   - count: the number of codes, 1 to 100. Default: 10.
  ///   - user: the user's id in the store. The codes are valid for this user only.
  ///   - key: the service's key.
  /// - Returns: the set to store and the codes to show.
  /// - Throws: `randomUnavailable`, `libraryFailure`.
  public static func generate(count: Int = 10, user: String, key: Key) throws(OTPError) -> Generated {
    let count = min(max(count, 1), limit)
    let random = try OTPError.of { () throws(CryptoError) in try Random.secretBytes(count: count * 16) }
    let text = SecretBytes(count: count * 20) { output in
      random.withBytes { random in
        for index in 0..<(count * 16) {
          let position = index / 16 * 20 + index % 16 + index % 16 / 4
          output[position] = character(random[index] & 0x1F)
          if index % 4 == 3 { output[position + 1] = index % 16 == 15 ? 0x0A : UInt8(ascii: "-") }
        }
      }
    }
    let digests = try text.withBytes { text throws(OTPError) -> [[UInt8]] in
      var digests: [[UInt8]] = []
      for index in 0..<count {
        let code = text.extracting((index * 20)..<(index * 20 + 19))
        digests.append(try digest(code, user: user, key))
      }
      return digests
    }
    return Generated(codes: RecoveryCodes(digests: digests), text: text)
  }

  /// Restores a stored set.
  ///
  /// - Parameter digests: the HMACs of the unused codes.
  /// - Throws: `recoverySetMalformed`.
  public init(stored digests: [[UInt8]]) throws(OTPError) {
    guard digests.count <= Self.limit, digests.allSatisfy({ $0.count == 32 }) else {
      throw .recoverySetMalformed
    }
    self.digests = digests
  }

  private init(digests: [[UInt8]]) { self.digests = digests }

  /// Removes a code from the set. Store the set before the user is let in.
  ///
  /// Case, spaces and hyphens do not matter; O is read as 0, I and L as 1. All unused codes are compared in
  /// constant time.
  ///
  /// - Parameters:
  ///   - text: the code that the user typed.
  ///   - user: the user's id in the store.
  ///   - key: the service's key.
  /// - Throws: `recoveryCodeMalformed`, `recoveryCodeUnknown`, `libraryFailure`.
  public mutating func redeem(_ text: String, user: String, key: Key) throws(OTPError) {
    let typed = try Self.typed(text)
    let digest = try Self.digest(typed.span, user: user, key)
    var found: Int?
    for index in digests.indices {
      let stored = digests[index]
      if ConstantTime.areEqual(stored.span, digest.span) { found = index }
    }
    guard let found else { throw .recoveryCodeUnknown }
    digests.remove(at: found)
  }

  private static func digest(
    _ code: borrowing Span<UInt8>, user: String, _ key: Key
  ) throws(OTPError) -> [UInt8] {
    // All codes have the same length, so that different codes and users never give the same message.
    var message = [UInt8](unwipedCopy: code)
    message.append(user)
    let wiped = SecretBytes(wiping: &message)
    do {
      return try wiped.withBytes { message throws(CryptoError) in
        try key.authenticator.authenticate(message)
      }
    } catch { throw OTPError(error) }
  }

  private static func typed(_ text: String) throws(OTPError) -> [UInt8] {
    guard text.utf8.count <= 64 else { throw .recoveryCodeMalformed }
    var code: [UInt8] = []
    for byte in text.utf8 where byte != UInt8(ascii: " ") && byte != UInt8(ascii: "-") {
      let capital = (0x61...0x7A).contains(byte) ? byte - 0x20 : byte
      let read: UInt8 =
        switch capital {
        case UInt8(ascii: "O"): UInt8(ascii: "0")
        case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
        default: capital
        }
      guard alphabet.contains(read), code.count < 19 else { throw .recoveryCodeMalformed }
      code.append(read)
      if code.count % 5 == 4, code.count < 19 { code.append(UInt8(ascii: "-")) }
    }
    guard code.count == 19 else { throw .recoveryCodeMalformed }
    return code
  }

  /// The letter of a value, without a table look-up that depends on the secret value.
  private static func character(_ value: UInt8) -> UInt8 {
    var character: UInt8 = 0
    for index in 0..<32 {
      let difference = UInt16(UInt8(index) ^ value)
      character |= alphabet[index] & UInt8(truncatingIfNeeded: (difference &- 1) >> 8)
    }
    return character
  }
}
