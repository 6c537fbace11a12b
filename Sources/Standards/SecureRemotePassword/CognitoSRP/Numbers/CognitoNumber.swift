internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Cognito's number encodings: the shortest big-endian two's complement for hashing, like Java's
/// `BigInteger.toByteArray`, and hexadecimal digits without padding on the wire.
public enum CognitoNumber {
  /// The bytes for hashing: no leading zeros, except one before a set top bit. Zero is one byte.
  static func signed(_ number: [UInt8]) -> [UInt8] {
    let shortest = Array(number.drop { $0 == 0 })
    guard let first = shortest.first else { return [0] }
    return first & 0x80 == 0 ? shortest : [0] + shortest
  }

  /// Reads `SRP_A`: hexadecimal digits of either case, also an odd number of them.
  ///
  /// - Parameter text: the digits; more than N can have are refused before they are read.
  /// - Returns: A, big-endian. Whether it is safe is for ``CognitoSRPServer`` to check.
  /// - Throws: `empty`, `hexadecimal`, `publicKeyTooLong`, `libraryFailure`.
  public static func publicKey(hexadecimal text: String) throws(SRPError) -> [UInt8] {
    try bytes(hexadecimal: text, .clientPublicKey, limit: CognitoKeySchedule.group.size)
  }

  /// Parses hexadecimal digits of either case, also an odd number of them. The result is big-endian, with at
  /// most `limit` bytes after leading zeros.
  ///
  /// - Throws: `empty`, `tooLong`, `hexadecimal`, `publicKeyTooLong`.
  static func bytes(hexadecimal text: String, _ part: SRPError.Part, limit: Int) throws(SRPError) -> [UInt8] {
    let digits = text.utf8
    guard !digits.isEmpty else { throw .empty(part) }
    // Before the digits are read, so that a megabyte of them costs nothing.
    guard digits.count <= 2 * limit + 16 else {
      let size = (digits.count + 1) / 2
      switch part {
      case .clientPublicKey: throw .publicKeyTooLong(.client, size: size, limit: limit)
      case .serverPublicKey: throw .publicKeyTooLong(.server, size: size, limit: limit)
      default: throw .tooLong(part, size: size, limit: limit)
      }
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2 + 1)
    var high: UInt8? = digits.count % 2 == 1 ? 0 : nil
    let span = digits.span
    for index in span.indices {
      guard let value = Hex.value(span[index]) else { throw .hexadecimal(part, at: index) }
      if let upper = high {
        bytes.append(upper << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return bytes
  }

  /// A number as `SRP_B` and `SALT`: lowercase digits without leading zeros; zero is one digit.
  ///
  /// - Parameter number: the number, big-endian.
  /// - Returns: the digits.
  public static func hexadecimal(_ number: [UInt8]) -> String {
    let all = Hex.string(number)
    guard all.utf8.first == UInt8(ascii: "0") || all.isEmpty else { return all }
    let digits = all.utf8.drop { $0 == UInt8(ascii: "0") }
    // An array of these digits would be made byte by byte, with some 40 instructions for each.
    return digits.isEmpty ? "0" : String(Substring(digits))
  }

  /// A salt of random bytes: a first digit of zero becomes one, so that all salts have the same length on the
  /// wire.
  static func salt(_ random: [UInt8]) -> [UInt8] {
    guard let first = random.first, first < 0x10 else { return random }
    return [first | 0x10] + random.dropFirst()
  }

  /// Parses a two's complement number in base64. The result is big-endian, with at most `limit` bytes.
  ///
  /// - Throws: `empty`, `tooLong`, `base64`, `numberNegative`.
  static func bytes(base64 text: String, _ part: SRPError.Part, limit: Int) throws(SRPError) -> [UInt8] {
    let size = text.utf8.count / 4 * 3
    guard size <= limit + 3 else { throw .tooLong(part, size: size, limit: limit) }
    let bytes: [UInt8]
    do { bytes = try Base64.decode(text) } catch { throw .base64(part) }
    guard let first = bytes.first else { throw .empty(part) }
    guard first & 0x80 == 0 else { throw .numberNegative(part) }
    return Array(bytes.drop { $0 == 0 })
  }
}
