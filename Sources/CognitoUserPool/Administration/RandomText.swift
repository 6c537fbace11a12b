internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// Random ids and secrets.
enum RandomText {
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

  /// The same as a text, for ids.
  static func publicText(_ count: Int, of alphabet: [UInt8]) throws(UserPoolError) -> String {
    var copy: [UInt8] = []
    try make(count, of: alphabet).withBytes { bytes in
      for index in bytes.indices { copy.append(bytes[index]) }
    }
    return String(decoding: copy, as: UTF8.self)
  }
}
