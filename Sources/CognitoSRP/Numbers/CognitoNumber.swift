internal import SecureRemotePassword
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// Numbers as Cognito hashes and sends them: the shortest big-endian two's complement, as Java's
/// `BigInteger.toByteArray` has it, and hexadecimal digits without padding.
enum CognitoNumber {
  /// The bytes that enter a hash: no zeros in front, but one where the top bit would be set. Zero is one byte.
  static func signed(_ number: [UInt8]) -> [UInt8] {
    let shortest = Array(number.drop { $0 == 0 })
    guard let first = shortest.first else { return [0] }
    return first & 0x80 == 0 ? shortest : [0] + shortest
  }

  /// The number of `text`, big-endian, of at most `limit` bytes behind its zeros. Digits of either case, an odd number
  /// of them, too.
  ///
  /// Throws `empty`, `tooLong`, `hexadecimal`, `publicKeyTooLong`.
  static func bytes(hexadecimal text: String, _ part: SRPError.Part, limit: Int) throws(SRPError) -> [UInt8] {
    let digits = text.utf8
    guard !digits.isEmpty else { throw .empty(part) }
    // Before anything is looked at: a megabyte of digits costs nothing.
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
    for (place, digit) in digits.enumerated() {
      guard let value = Hex.value(digit) else { throw .hexadecimal(part, at: place) }
      if let upper = high {
        bytes.append(upper << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return bytes
  }

  /// Lower-case digits without zeros in front; zero is one digit.
  static func hexadecimal(_ number: [UInt8]) -> String {
    let digits = Hex.string(number).utf8.drop { $0 == UInt8(ascii: "0") }
    return digits.isEmpty ? "0" : String(decoding: Array(digits), as: UTF8.self)
  }

  /// The number of two's complement that base64 text stands for, big-endian, of at most `limit` bytes.
  ///
  /// Throws `empty`, `tooLong`, `base64`, `numberNegative`.
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
