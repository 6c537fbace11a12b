public import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// Codes for the day that the device is lost: each is good for one sign-in. What is stored are their authentication codes
/// under a key of the service's; whoever has the store without the key cannot even try.
///
/// A code is 80 random bits as four groups of four letters and digits (Crockford's base32, which has no I, L, O and U).
public struct RecoveryCodes: Sendable, Hashable {
  /// The authentication codes of those that are left, 32 bytes each.
  public private(set) var digests: [[UInt8]]

  /// How many are left.
  public var count: Int { digests.count }

  /// The most that a set has.
  public static let limit = 100

  private static let alphabet = [UInt8]("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// The key that sets are made and checked with.
  public struct Key: Sendable {
    fileprivate let authenticator: MessageAuthenticator

    /// `key`: 32 random bytes or more; kept apart from the store.
    ///
    /// Throws `secretTooShort`, `libraryFailure`.
    public init(_ key: borrowing SecretBytes) throws(OTPError) {
      guard key.count >= 32 else { throw .secretTooShort(bits: key.count * 8, least: 256) }
      do {
        authenticator = try MessageAuthenticator(key: key, digest: .sha256)
      } catch { throw OTPError(error) }
    }
  }

  /// A new set and its codes, one in a line, to be shown once.
  public struct Made: ~Copyable, Sendable {
    /// What to store.
    public let codes: RecoveryCodes
    /// What to show.
    public let text: SecretBytes

    fileprivate init(codes: RecoveryCodes, text: consuming SecretBytes) {
      self.codes = codes
      self.text = text
    }
  }

  /// Makes `count` codes, 1 to 100, 10 unless said otherwise. `user`: what the store has them under; the codes of one are no
  /// good for another.
  ///
  /// Throws `randomUnavailable`, `libraryFailure`.
  public static func make(count: Int = 10, user: String, key: Key) throws(OTPError) -> Made {
    let count = min(max(count, 1), limit)
    let random = try OTPError.of { () throws(CryptoError) in
      try Random.secretBytes(count: count * 16)
    }
    let text = SecretBytes(count: count * 20) { output in
      random.withBytes { random in
        for index in 0..<(count * 16) {
          let place = index / 16 * 20 + index % 16 + index % 16 / 4
          output[place] = character(random[index] & 0x1F)
          if index % 4 == 3 { output[place + 1] = index % 16 == 15 ? 0x0A : UInt8(ascii: "-") }
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
    return Made(codes: RecoveryCodes(digests: digests), text: text)
  }

  /// What was stored.
  ///
  /// Throws `recoverySetMalformed`.
  public init(stored digests: [[UInt8]]) throws(OTPError) {
    guard digests.count <= Self.limit, digests.allSatisfy({ $0.count == 32 }) else {
      throw .recoverySetMalformed
    }
    self.digests = digests
  }

  private init(digests: [[UInt8]]) { self.digests = digests }

  /// Takes a code out of the set. Store the set before anybody is let in. Case, spaces and hyphens do not matter; O is read
  /// as 0, I and L as 1. All that are left are compared, in constant time.
  ///
  /// Throws `recoveryCodeMalformed`, `recoveryCodeUnknown`, `libraryFailure`.
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
    // The code has always the same length, so that no part can take over from the other.
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

  /// Without a table: which letter a code has is a secret while it is made.
  private static func character(_ value: UInt8) -> UInt8 {
    var character: UInt8 = 0
    for index in 0..<32 {
      let difference = UInt16(UInt8(index) ^ value)
      character |= alphabet[index] & UInt8(truncatingIfNeeded: (difference &- 1) >> 8)
    }
    return character
  }
}
