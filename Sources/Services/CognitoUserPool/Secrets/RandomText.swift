internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Random ids, codes and secrets.
enum RandomText {
  /// The alphabet of codes.
  static let digits = Array("0123456789".utf8)
  /// The alphabet of pools' ids.
  static let lettersAndDigits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
  /// The alphabet of clients' ids and secrets.
  static let lowercaseAndDigits = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)

  /// Returns characters of an alphabet, each of them equally likely.
  static func make(_ count: Int, of alphabet: [UInt8]) throws(UserPoolError) -> SecretBytes {
    // Random bytes from here on would favour the alphabet's first characters.
    let end = 256 - 256 % alphabet.count
    var text: [UInt8] = []
    text.reserveCapacity(count)
    while text.count < count {
      let random = try UserPoolError.crypto { () throws(CryptoError) in
        try Random.secretBytes(count: 2 * count)
      }
      random.withBytes { bytes in
        for index in bytes.indices where text.count < count && Int(bytes[index]) < end {
          text.append(alphabet[Int(bytes[index]) % alphabet.count])
        }
      }
    }
    return SecretBytes(wiping: &text)
  }

  /// The same as a text, which is not wiped.
  static func text(_ count: Int, of alphabet: [UInt8]) throws(UserPoolError) -> String {
    let bytes = try make(count, of: alphabet).withBytes { [UInt8](unwipedCopy: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
