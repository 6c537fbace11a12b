/// An attribute of a user.
public struct AttributeType: Structure {
  /// The name.
  public var name = ""
  /// The value.
  public var value: String?

  /// A value without members.
  public init() {}

  package init(_ name: String, _ value: String?) {
    self.name = name
    self.value = value
  }

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("Name", &name, .attributeName)
    m.optional("Value", &value, .attributeValue)
  }
}

/// An attribute of users: its type and bounds.
public struct SchemaAttributeType: Structure {
  /// The name.
  public var name: String?
  /// The type.
  public var attributeDataType: AttributeDataType?
  /// True where only administrators see it.
  public var developerOnlyAttribute: Bool?
  /// True where it can change.
  public var mutable: Bool?
  /// True where each user has it.
  public var required: Bool?
  /// The bounds of a number.
  public var numberAttributeConstraints: NumberAttributeConstraintsType?
  /// The bounds of a text.
  public var stringAttributeConstraints: StringAttributeConstraintsType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Name", &name, .customAttributeName)
    m.optional("AttributeDataType", &attributeDataType)
    m.optional("DeveloperOnlyAttribute", &developerOnlyAttribute)
    m.optional("Mutable", &mutable)
    m.optional("Required", &required)
    m.optional("NumberAttributeConstraints", &numberAttributeConstraints)
    m.optional("StringAttributeConstraints", &stringAttributeConstraints)
  }
}

/// The type of an attribute.
public enum AttributeDataType: ExactString, MemberChoice {
  /// A text.
  case string = "String"
  /// A whole number.
  case number = "Number"
  /// An instant.
  case dateTime = "DateTime"
  /// A boolean.
  case boolean = "Boolean"
}

/// The bounds of a number.
public struct NumberAttributeConstraintsType: Structure {
  /// The least value, in digits.
  public var minValue: String?
  /// The greatest value, in digits.
  public var maxValue: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("MinValue", &minValue, .text)
    m.optional("MaxValue", &maxValue, .text)
  }
}

/// The bounds of a text.
public struct StringAttributeConstraintsType: Structure {
  /// The least length, in digits.
  public var minLength: String?
  /// The greatest length, in digits.
  public var maxLength: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("MinLength", &minLength, .text)
    m.optional("MaxLength", &maxLength, .text)
  }
}

/// Where a code was sent.
public struct CodeDeliveryDetailsType: Structure {
  /// The masked address.
  public var destination: String?
  /// The medium.
  public var deliveryMedium: DeliveryMediumType?
  /// The attribute.
  public var attributeName: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Destination", &destination, .text)
    m.optional("DeliveryMedium", &deliveryMedium)
    m.optional("AttributeName", &attributeName, .attributeName)
  }
}

/// The medium of a message.
public enum DeliveryMediumType: ExactString, MemberChoice {
  /// SMS.
  case sms = "SMS"
  /// E-mail.
  case email = "EMAIL"
}
