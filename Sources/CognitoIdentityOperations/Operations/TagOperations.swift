// Operations on tags of pools, and on session tags.

let tagOperations: [any ServiceOperation.Type] = [
  TagResource.self, UntagResource.self, ListTagsForResource.self, SetPrincipalTagAttributeMap.self,
  GetPrincipalTagAttributeMap.self,
]

/// Adds or replaces tags of a pool.
public enum TagResource: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "TagResource", .developer(.administering, .resource("ResourceArn")), "Adds or replaces tags of a pool.",
    errors: .usual, changes: ["ResourceArn"])

  /// The tags.
  public struct Input: Structure {
    /// The pool's ARN.
    public var arn = ""
    /// The tags.
    public var tags: [ExactString: String] = [:]

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("ResourceArn", &arn, .arn)
      m.required("Tags", &tags, .tags)
    }
  }
}

/// Removes tags of a pool.
public enum UntagResource: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "UntagResource", .developer(.administering, .resource("ResourceArn")), "Removes tags of a pool.",
    errors: .usual, changes: ["ResourceArn"])

  /// The tags.
  public struct Input: Structure {
    /// The pool's ARN.
    public var arn = ""
    /// The tags' keys.
    public var keys: [String] = []

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("ResourceArn", &arn, .arn)
      m.required("TagKeys", &keys, .tagKeys)
    }
  }
}

/// Returns the tags of a pool.
public enum ListTagsForResource: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ListTagsForResource", .developer(.reading, .resource("ResourceArn")), "Returns the tags of a pool.",
    errors: .usual)

  /// The pool.
  public struct Input: Structure {
    /// The pool's ARN.
    public var arn = ""

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) { m.required("ResourceArn", &arn, .arn) }
  }

  /// The tags.
  public struct Output: Structure {
    /// The tags.
    public var tags: [ExactString: String]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) { m.optional("Tags", &tags, .tags) }
  }
}

/// Sets which claims become session tags.
public enum SetPrincipalTagAttributeMap: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "SetPrincipalTagAttributeMap", .developer(.administering, .pool("IdentityPoolId")),
    "Sets which claims of a provider's logins become session tags.", errors: .usual,
    changes: ["IdentityPoolId"])

  /// The map.
  public struct Input: Structure {
    /// The pool's id.
    public var poolID = ""
    /// The provider.
    public var provider = ""
    /// True for the default map.
    public var usesDefaults: Bool?
    /// Claims by tag.
    public var principalTags: [ExactString: String]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("IdentityPoolId", &poolID, .identityID)
      m.required("IdentityProviderName", &provider, .provider)
      m.optional("UseDefaults", &usesDefaults)
      m.optional("PrincipalTags", &principalTags, .principalTags)
    }
  }

  /// The map that was set.
  public typealias Output = PrincipalTagMap
}

/// Returns which claims become session tags.
public enum GetPrincipalTagAttributeMap: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetPrincipalTagAttributeMap", .developer(.reading, .pool("IdentityPoolId")),
    "Returns which claims of a provider's logins become session tags.", errors: .usual)

  /// The provider.
  public struct Input: Structure {
    /// The pool's id.
    public var poolID = ""
    /// The provider.
    public var provider = ""

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("IdentityPoolId", &poolID, .identityID)
      m.required("IdentityProviderName", &provider, .provider)
    }
  }

  /// The map.
  public typealias Output = PrincipalTagMap
}

/// Which claims of a provider's logins become session tags.
public struct PrincipalTagMap: Structure {
  /// The pool's id.
  public var poolID: String?
  /// The provider.
  public var provider: String?
  /// True for the default map.
  public var usesDefaults: Bool?
  /// Claims by tag.
  public var principalTags: [ExactString: String]?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("IdentityPoolId", &poolID, .identityID)
    m.optional("IdentityProviderName", &provider, .provider)
    m.optional("UseDefaults", &usesDefaults)
    m.optional("PrincipalTags", &principalTags, .principalTags)
  }
}
