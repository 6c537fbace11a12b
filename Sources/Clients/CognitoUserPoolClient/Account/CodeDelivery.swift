internal import ServiceOperations
public import TokenSecurityBase

/// Where a code was sent.
public struct CodeDelivery: Sendable, Hashable {
  /// How a code is sent.
  @nonexhaustive public enum Medium: ExactString, Sendable, Hashable, CaseIterable {
    /// A text message.
    case sms = "SMS"
    /// An e-mail.
    case email = "EMAIL"
  }

  /// The masked address, such as `t***@e***`, to be shown to the user.
  public let destination: String
  /// How the code was sent; nil if the service does not say so.
  public let medium: Medium?
  /// The attribute with the address, such as `email`.
  public let attribute: String

  /// Creates a description, for previews of an interface.
  ///
  /// - Parameters:
  ///   - destination: the masked address.
  ///   - medium: how the code was sent.
  ///   - attribute: the attribute with the address.
  public init(destination: String, medium: Medium?, attribute: String) {
    self.destination = destination
    self.medium = medium
    self.attribute = attribute
  }

  init(_ member: CodeDeliveryDetailsType) {
    destination = member.destination ?? ""
    medium = member.deliveryMedium.map { $0 == .sms ? .sms : .email }
    attribute = member.attributeName ?? ""
  }
}
