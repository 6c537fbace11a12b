/// Telephone numbers in the form of E.164, which the attribute `phone_number` has.
package enum PhoneNumber {
  /// Returns whether a text is `+` and 2 to 15 digits, of which the first is not 0, since no country code begins
  /// with 0.
  ///
  /// - Parameter text: a text.
  /// - Returns: true for a number.
  package static func isE164(_ text: String) -> Bool {
    let digits = text.utf8.dropFirst()
    return text.utf8.first == UInt8(ascii: "+") && (2...15).contains(digits.count)
      && digits.allSatisfy { (0x30...0x39).contains($0) } && digits.first != UInt8(ascii: "0")
  }
}
