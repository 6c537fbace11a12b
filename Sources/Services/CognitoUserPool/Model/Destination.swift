internal import TokenSecurityBase

/// Where a message goes: an address of a user, and the attribute that has it.
package struct Destination: Sendable, Hashable {
  /// The attribute.
  package let attribute: VerifiedAttribute
  /// The e-mail address or telephone number.
  package let address: String

  /// A destination.
  ///
  /// - Parameters:
  ///   - attribute: the attribute.
  ///   - address: the address.
  package init(_ attribute: VerifiedAttribute, _ address: String) {
    self.attribute = attribute
    self.address = address
  }

  /// A user's address; nil for a user without it.
  ///
  /// - Parameters:
  ///   - attribute: the attribute.
  ///   - user: the user.
  package init?(_ attribute: VerifiedAttribute, of user: User) {
    guard let address = user.attribute(attribute.name) else { return nil }
    self.init(attribute, address)
  }

  /// How messages are sent there.
  package var medium: DeliveryMedium { attribute.medium }

  /// The address as responses show it: `t***@t***`, `+*******9934`. Letters are in lower case, so that capitals of a
  /// stored address do not show that the user exists.
  package var masked: String {
    switch attribute {
    case .email: Self.mask(email: address)
    case .phoneNumber: Self.mask(phoneNumber: address)
    }
  }

  private static func mask(email: String) -> String {
    let parts = email.lowercasedASCII.parts(at: "@", most: 2)
    return parts.map { $0.prefix(1) + "***" }.joined(separator: "@")
  }

  private static func mask(phoneNumber: String) -> String {
    let digits = phoneNumber.utf8.dropFirst()
    // Half of a short number at most.
    let shown = min(4, digits.count / 2)
    return "+" + String(repeating: "*", count: digits.count - shown)
      + String(decoding: digits.suffix(shown), as: UTF8.self)
  }
}
