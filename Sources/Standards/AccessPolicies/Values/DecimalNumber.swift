/// A decimal number of any size, compared without rounding.
struct DecimalNumber: Sendable, Hashable, Comparable {
  /// -1, 0 or 1.
  private let sign: Int
  /// The digits without zeros at both ends: the number is 0.DIGITS times ten to the power of ``exponent``.
  private let digits: [UInt8]
  private let exponent: Int

  /// Reads a number: digits, perhaps with a sign before them, a fraction and an exponent of at most four digits. Nil for any other
  /// text, and for one of more than 256 bytes.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count <= 256 else { return nil }
    var rest = bytes[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    let whole = Self.takeDigits(&rest)
    var fraction: [UInt8] = []
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      fraction = Self.takeDigits(&rest)
      guard !fraction.isEmpty else { return nil }
    }
    guard !whole.isEmpty, let power = Self.takeExponent(&rest), rest.isEmpty else { return nil }
    let all = whole + fraction
    let zeros = all.prefix { $0 == 0 }.count
    var digits = Array(all.dropFirst(zeros))
    while digits.last == 0 { digits.removeLast() }
    self.digits = digits
    exponent = digits.isEmpty ? 0 : whole.count - zeros + power
    sign = digits.isEmpty ? 0 : isNegative ? -1 : 1
  }

  private static func takeDigits(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    rest = rest[digits.endIndex...]
    return digits.map { $0 - 0x30 }
  }

  /// The exponent, 0 without one; nil for a malformed one.
  private static func takeExponent(_ rest: inout ArraySlice<UInt8>) -> Int? {
    guard let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") else { return 0 }
    rest = rest.dropFirst()
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    let digits = takeDigits(&rest)
    guard (1...4).contains(digits.count) else { return nil }
    let value = digits.reduce(0) { $0 * 10 + Int($1) }
    return isNegative ? -value : value
  }

  /// Orders by value.
  static func < (left: DecimalNumber, right: DecimalNumber) -> Bool {
    guard left.sign == right.sign else { return left.sign < right.sign }
    let isLess =
      left.exponent == right.exponent
      ? left.digits.lexicographicallyPrecedes(right.digits) : left.exponent < right.exponent
    return left.sign < 0 ? left != right && !isLess : left.sign > 0 && isLess
  }
}
