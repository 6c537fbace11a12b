internal import ServiceOperations
internal import TokenSecurityBase

// The attributes of users that requests declare.

extension SchemaAttribute {
  /// Maximum number of a pool's own attributes.
  static let ownLimit = 50

  private static let member = "Schema"

  /// Reads an attribute of a pool's own.
  init(own given: SchemaAttributeType) throws(UserPoolError) {
    self.init()
    // Also before a name that begins so: AWS makes `custom:custom:x` of `custom:x`.
    name = Self.customPrefix + (try Self.name(given))
    guard let type = given.attributeDataType else {
      throw .settingsRefused(
        "Invalid AttributeDataType input, consider using the provided AttributeDataType enum.")
    }
    guard given.required != true else {
      throw .settingsRefused("Required custom attributes are not supported currently.")
    }
    isDeveloperOnly = given.developerOnlyAttribute ?? false
    isMutable = given.mutable ?? true
    self.type = type.name
    try setBounds(given)
  }

  /// Reads the settings of a standard attribute.
  init(standard: SchemaAttribute, _ given: SchemaAttributeType) throws(UserPoolError) {
    self = standard
    guard given.attributeDataType.map({ $0.name == type }) ?? true else {
      throw .parameterRefused(Self.member, rule: "\(name) is a \(type)")
    }
    guard given.developerOnlyAttribute != true else {
      throw .parameterRefused(Self.member, rule: "\(name) is no attribute of the pool's own")
    }
    // The id never changes, and each user has it.
    guard name != "sub" else { return }
    isMutable = given.mutable ?? true
    isRequired = given.required ?? false
    try setBounds(given)
  }

  static func name(_ given: SchemaAttributeType) throws(UserPoolError) -> String {
    guard let name = given.name else { throw .parameterRefused(member, rule: "an attribute has no name") }
    return name
  }

  private mutating func setBounds(_ given: SchemaAttributeType) throws(UserPoolError) {
    var bounds: (least: String?, greatest: String?) = (nil, nil)
    if type == "String" {
      bounds = (
        given.stringAttributeConstraints?.minLength, given.stringAttributeConstraints?.maxLength
      )
    }
    if type == "Number" {
      bounds = (
        given.numberAttributeConstraints?.minValue, given.numberAttributeConstraints?.maxValue
      )
    }
    least = bounds.least ?? least
    greatest = bounds.greatest ?? greatest
    let numbers = [try number(least), try number(greatest)]
    if type == "String", numbers.contains(where: { $0.map { !(0...2_048).contains($0) } ?? false }) {
      throw .parameterRefused(Self.member, rule: "lengths of \(name) must be from 0 to 2048")
    }
    if let low = numbers[0], let high = numbers[1], low > high {
      throw .parameterRefused(Self.member, rule: "the bounds of \(name) allow nothing")
    }
  }

  private func number(_ text: String?) throws(UserPoolError) -> Int64? {
    guard let text else { return nil }
    guard !text.hasPrefix("+"), let number = Int64(text) else {
      throw .parameterRefused(Self.member, rule: "a bound of \(name) is not a whole number")
    }
    return number
  }
}

extension UserPool {
  /// Sets the attributes of a new pool.
  mutating func setSchema(_ given: [SchemaAttributeType]) throws(UserPoolError) {
    for one in given {
      if let standard = StandardAttributes.named(try SchemaAttribute.name(one)) {
        try add(SchemaAttribute(standard: standard, one))
      } else {
        try add(SchemaAttribute(own: one))
      }
    }
  }

  /// Adds an attribute.
  mutating func add(_ attribute: SchemaAttribute) throws(UserPoolError) {
    guard !schema.contains(where: { $0.fullName == attribute.fullName }) else {
      throw .parameterRefused("Schema", rule: "the attribute \(attribute.fullName.quoted) is declared twice")
    }
    schema.append(attribute)
    guard schema.count(where: { StandardAttributes.named($0.name) == nil }) <= SchemaAttribute.ownLimit
    else { throw .limitReached(of: "custom attributes", limit: SchemaAttribute.ownLimit) }
  }
}
