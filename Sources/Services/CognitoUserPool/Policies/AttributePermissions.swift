internal import TokenSecurityBase

// Which attributes a client reads and writes, and the forms of values that the service uses itself.

extension AttributeRules {
  /// Checks that an attribute may be written.
  ///
  /// - Throws: `attributesRefused`, `attributeNotWritable`.
  func checkWriting(of name: String, by client: UserPoolClient?) throws(UserPoolError) {
    let isFlag = Self.address(flaggedBy: name) != nil
    if name == "sub" || (isFlag && client != nil) {
      throw .attributesRefused(rule: "Cannot modify the non-mutable attribute \(name)")
    }
    guard let client else { return }
    guard !name.hasPrefix(SchemaAttribute.developerPrefix) else { throw .attributeNotWritable }
    let isAllowed = client.writeAttributes?.contains(name) ?? (StandardAttributes.named(name) != nil)
    if !isAllowed { throw .attributeNotWritable }
  }

  /// Checks the form of an address, and of a name that users sign in with.
  ///
  /// - Throws: `addressMalformed`, `attributesRefused`.
  func checkForm(of name: String, _ value: String) throws(UserPoolError) {
    if let address = VerifiedAttribute(name: name), !address.isForm(of: value) {
      throw .addressMalformed(attribute: name)
    }
    guard name == AliasAttribute.preferredUsername.name, pool.aliasAttributes.contains(.preferredUsername)
    else { return }
    try UserNameRules(pool).checkAlias(value)
  }

  /// The attributes of a user that a client reads, without `sub`.
  ///
  /// - Parameters:
  ///   - attributes: the attributes by name.
  ///   - client: the client; nil for an administrator, who reads all.
  /// - Returns: those that the client reads.
  package func readable(
    _ attributes: [ExactString: String], by client: UserPoolClient?
  ) -> [ExactString: String] {
    guard let client else { return attributes }
    return attributes.filter { isReadable($0.key.text, by: client) }
  }

  /// Returns whether a client reads an attribute. A client that names no attributes reads the standard ones.
  ///
  /// - Parameters:
  ///   - name: the attribute's name.
  ///   - client: the client.
  /// - Returns: true if it does.
  package func isReadable(_ name: String, by client: UserPoolClient) -> Bool {
    guard !name.hasPrefix(SchemaAttribute.developerPrefix) else { return false }
    return client.readAttributes?.contains(name) ?? (StandardAttributes.named(name) != nil)
  }
}
