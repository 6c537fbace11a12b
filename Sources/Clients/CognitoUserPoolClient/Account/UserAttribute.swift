internal import ServiceOperations
internal import TokenSecurityBase

/// An attribute of a user: `email`, `phone_number`, `custom:team`.
public struct UserAttribute: Sendable, Hashable {
  /// The name.
  public let name: String
  /// The value; empty for none.
  public let value: String

  /// Creates an attribute.
  ///
  /// - Parameters:
  ///   - name: the name. The pool's own attributes begin with `custom:`.
  ///   - value: the value. An empty value deletes the attribute when attributes are updated.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// An e-mail address.
  ///
  /// - Parameter address: the address.
  /// - Returns: the attribute `email`.
  public static func email(_ address: String) -> UserAttribute { UserAttribute("email", address) }

  /// A phone number.
  ///
  /// - Parameter number: the number in the form of E.164, such as `+15555550100`.
  /// - Returns: the attribute `phone_number`.
  public static func phoneNumber(_ number: String) -> UserAttribute { UserAttribute("phone_number", number) }
}

extension UserAttribute {
  init(_ member: AttributeType) { self.init(member.name, member.value ?? "") }

  /// Throws for a phone number that is not in the form of E.164.
  func check() throws(UserPoolClientError) {
    guard name == "phone_number", !value.isEmpty else { return }
    guard PhoneNumber.isE164(value) else {
      throw .inputInvalid(
        rule: "the phone number is not a plus sign, a country code and a number of at most 15 digits (E.164)")
    }
  }
}

extension [UserAttribute] {
  /// The attributes as a member of a request. No attribute is an absent member.
  func asMember() throws(UserPoolClientError) -> [AttributeType]? {
    for attribute in self { try attribute.check() }
    guard !isEmpty else { return nil }
    return map { AttributeType($0.name, $0.value) }
  }
}
