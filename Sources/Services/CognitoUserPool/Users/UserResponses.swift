package import ServiceOperations
internal import TokenSecurityBase

// Users as responses have them.

extension User {
  /// The user as lists have it.
  ///
  /// - Parameter names: the attributes in the response; nil or empty for all.
  /// - Returns: the user.
  package func response(_ names: [String]? = nil) -> UserType {
    UserType {
      $0.username = name
      $0.attributes = attributesInResponse(names)
      $0.userCreateDate = created
      $0.userLastModifiedDate = modified
      $0.enabled = isEnabled
      $0.userStatus = UserStatusType(rawValue: status.rawValue)
      $0.mfaOptions = mfaOptionsResponse
    }
  }

  /// The attributes as responses have them: `sub` first, then the others by their names.
  ///
  /// - Parameter names: the attributes in the response; nil or empty for all.
  /// - Returns: the attributes.
  package func attributesInResponse(_ names: [String]? = nil) -> [AttributeType] {
    let wanted = names.flatMap { $0.isEmpty ? nil : Set($0.map { ExactString($0) }) }
    var members = [AttributeType("sub", sub)]
    for name in attributes.keys.sorted() { members.append(AttributeType(name.text, attributes[name])) }
    return members.filter { wanted?.contains(ExactString($0.name)) ?? true }
  }

  /// Codes by SMS as older clients see them; nil where they are off.
  package var mfaOptionsResponse: [MFAOptionType]? {
    guard smsFactor else { return nil }
    return [
      MFAOptionType {
        $0.deliveryMedium = .sms
        $0.attributeName = "phone_number"
      }
    ]
  }
}
