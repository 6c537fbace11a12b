internal import TokenSecurityBase

/// The rules for attributes of a pool's users: the schema, and what app clients may write.
///
/// Calls without a client are an administrator's, who may write every attribute but `sub`.
package struct AttributeRules: Sendable {
  /// Attributes of a request, in its order.
  package typealias Given = [(name: String, value: String)]

  let pool: UserPool

  /// The rules of a pool.
  ///
  /// - Parameter pool: the pool.
  package init(_ pool: UserPool) { self.pool = pool }

  /// Checks the attributes of a new user.
  ///
  /// - Parameters:
  ///   - given: the attributes. Empty values count as missing.
  ///   - byAdministrator: true where required attributes may be missing.
  ///   - client: the client of a user who signs up; nil for an administrator.
  ///   - address: the address that the user signs in with instead of a name, which becomes an attribute.
  /// - Returns: the attributes by name.
  /// - Throws: `attributesRefused`, `addressMalformed`, `attributeNotWritable`.
  package func checkedNew(
    _ given: Given, byAdministrator: Bool, client: UserPoolClient?,
    address: (attribute: UsernameAttribute, value: String)? = nil
  ) throws(UserPoolError) -> [ExactString: String] {
    var values: [ExactString: String] = [:]
    for (name, value) in try checked(given, client, isNew: true) {
      if let value { values[ExactString(name)] = value }
    }
    if let address {
      let key = address.attribute.rawValue
      if let other = values[key], other != address.value {
        throw .attributesRefused(rule: "Username and attribute \(key.text) must be the same.")
      }
      values[key] = address.value
    }
    try checkFlags(Set(values.keys), after: values)
    if !byAdministrator { try checkRequired(values) }
    return values
  }

  /// Checks changes of a user's attributes.
  ///
  /// - Parameters:
  ///   - given: the attributes. An empty value removes the attribute.
  ///   - user: the user.
  ///   - client: the client of the user; nil for an administrator.
  /// - Returns: the changes. A new address is not verified unless the administrator says so.
  /// - Throws: `attributesRefused`, `addressMalformed`, `attributeNotWritable`.
  package func checkedUpdate(
    _ given: Given, of user: User, client: UserPoolClient?
  ) throws(UserPoolError) -> AttributeUpdate {
    var update = AttributeUpdate()
    var flags: Set<ExactString> = []
    for (name, value) in try checked(given, client, isNew: false) {
      let key = ExactString(name)
      if let value { update.set[key] = value } else { update.removed.insert(key) }
      if Self.address(flaggedBy: name) != nil, value != nil { flags.insert(key) }
    }
    for address in VerifiedAttribute.allCases {
      let flag = ExactString(address.flag)
      if update.removed.contains(address.rawValue) {
        update.removed.insert(flag)
      } else if let new = update.set[address.rawValue], new != user.attribute(address.name),
        update.set[flag] == nil
      {
        update.set[flag] = "false"
      }
    }
    try check(update, of: user, flags)
    return update
  }

  /// Checks the removal of attributes.
  ///
  /// - Parameters:
  ///   - names: the attributes' names.
  ///   - user: the user.
  ///   - client: the client of the user; nil for an administrator.
  /// - Returns: the changes.
  /// - Throws: `attributesRefused`, `attributeNotWritable`.
  package func checkedRemoval(
    _ names: [String], of user: User, client: UserPoolClient?
  ) throws(UserPoolError) -> AttributeUpdate {
    var seen: Set<ExactString> = []
    let different = names.filter { seen.insert(ExactString($0)).inserted }
    return try checkedUpdate(different.map { (name: $0, value: "") }, of: user, client: client)
  }

  private func check(
    _ update: AttributeUpdate, of user: User, _ flags: Set<ExactString>
  ) throws(UserPoolError) {
    let after = update.applied(to: user.attributes)
    try checkFlags(flags, after: after)
    let missing = update.removed.sorted().filter { pool.attribute($0.text)?.isRequired == true }
    if !missing.isEmpty { throw Self.missing(missing.map(\.text)) }
    // Without an address such a user could not sign in.
    guard !pool.usernameAttributes.isEmpty, !update.removed.isEmpty,
      pool.usernameAttributes.allSatisfy({ after[$0.rawValue] == nil })
    else { return }
    throw Self.missing(pool.usernameAttributes.map(\.name).filter { user.attribute($0) != nil })
  }

  /// Checks each attribute by itself. Removed ones have no value.
  private func checked(
    _ given: Given, _ client: UserPoolClient?, isNew: Bool
  ) throws(UserPoolError) -> [(name: String, value: String?)] {
    var checked: [(name: String, value: String?)] = []
    var seen: Set<ExactString> = []
    var broken: [String] = []
    for (name, value) in given {
      guard seen.insert(ExactString(name)).inserted else {
        throw .attributesRefused(rule: "Attribute \(name.bounded(to: 32)) is given more than once.")
      }
      try checkWriting(of: name, by: client)
      guard let attribute = pool.attribute(name) else {
        broken.append("\(name.bounded(to: 32)): Attribute does not exist in the schema.")
        continue
      }
      guard isNew || attribute.isMutable else {
        throw .attributesRefused(rule: "user.\(name): Attribute cannot be updated.")
      }
      guard !value.isEmpty else {
        checked.append((name, nil))
        continue
      }
      try checkForm(of: name, value)
      if let rule = attribute.rule(brokenBy: value) { broken.append("\(name): \(rule)") }
      // Flags have one spelling in rows and tokens.
      let flag = attribute.type == "Boolean" ? AttributeValue.flag(value) : nil
      checked.append((name, flag.map { $0 ? "true" : "false" } ?? value))
    }
    if !broken.isEmpty { throw Self.refused(broken) }
    return checked
  }

  /// Checks required attributes of a user who signs up.
  private func checkRequired(_ values: [ExactString: String]) throws(UserPoolError) {
    let missing = pool.allAttributes.filter {
      $0.isRequired && $0.name != "sub" && values[ExactString($0.fullName)] == nil
    }
    if !missing.isEmpty { throw Self.missing(missing.map(\.fullName)) }
  }

  /// Checks that a flag belongs to an address.
  private func checkFlags(
    _ names: Set<ExactString>, after values: [ExactString: String]
  ) throws(UserPoolError) {
    for name in names {
      guard let address = Self.address(flaggedBy: name.text), values[address.rawValue] == nil else {
        continue
      }
      let (first, second) = address == .email ? ("Email", "an email") : ("Phone number", "a phone number")
      throw .attributesRefused(rule: "\(first) is required to verify/un-verify \(second)")
    }
  }

  static func address(flaggedBy name: String) -> VerifiedAttribute? {
    VerifiedAttribute.allCases.first { $0.flag == name }
  }

  private static func missing(_ names: [String]) -> UserPoolError {
    refused(names.map { "\($0): The attribute is required" })
  }

  private static func refused(_ rules: [String]) -> UserPoolError {
    .attributesRefused(rule: "Attributes did not conform to the schema: " + rules.joined(separator: "\n"))
  }
}

/// Checked changes of a user's attributes.
package struct AttributeUpdate: Sendable {
  /// New values by name.
  package var set: [ExactString: String] = [:]
  /// The names of removed attributes.
  package var removed: Set<ExactString> = []

  /// No changes.
  package init() {}

  /// The attributes after the changes.
  ///
  /// - Parameter attributes: the attributes before.
  /// - Returns: those after.
  package func applied(to attributes: [ExactString: String]) -> [ExactString: String] {
    var result = attributes
    for name in removed { result[name] = nil }
    for (name, value) in set { result[name] = value }
    return result
  }
}
