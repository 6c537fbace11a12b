/// How a code is written.
public enum OTPCodeForm: Sendable, Hashable {
  /// Decimal digits (RFC 4226 section 5.3).
  case decimal
  /// Steam's form: five characters of an alphabet of 26, the least significant first.
  case steam
}

/// Codes in Steam's form, as pyotp, otplib and rbw make them: the number of RFC 4226 section 5.3 to the base 26.
enum SteamCode {
  static let alphabet = "23456789BCDFGHJKMNPQRTVWXY"
  static let length = 5
  /// How many codes there are: 26 to the power of 5.
  static let count: UInt32 = 11_881_376

  /// The code for a number below ``count``.
  static func text(_ number: UInt32) -> String {
    let characters = Array(alphabet.utf8)
    var rest = number
    var code: [UInt8] = []
    for _ in 0..<length {
      code.append(characters[Int(rest % 26)])
      rest /= 26
    }
    return String(decoding: code, as: UTF8.self)
  }

  /// The number of a code that the user typed, in capitals or small letters.
  static func number(_ code: String) throws(OTPError) -> UInt32 {
    guard code.utf8.count == length else { throw .steamCodeMalformed }
    var number: UInt32 = 0
    for byte in code.utf8.reversed() {
      let capital = (0x61...0x7A).contains(byte) ? byte & 0xDF : byte
      guard let value = alphabet.utf8.enumerated().first(where: { $0.element == capital })?.offset else {
        throw .steamCodeMalformed
      }
      number = number * 26 + UInt32(value)
    }
    return number
  }
}
