// Operations of administrators on attributes and passwords of users.

let userAttributeOperations: [any ServiceOperation.Type] = [
  AdminUpdateUserAttributes.self, AdminDeleteUserAttributes.self, AdminSetUserPassword.self,
  AdminResetUserPassword.self, AdminUserGlobalSignOut.self,
]

/// Changes attributes of a user.
public enum AdminUpdateUserAttributes: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminUpdateUserAttributes", .developer(.administering, .pool("UserPoolId")),
    "Changes attributes of a user.",
    errors: .usual + .hooks + .messages + [.aliasExists, .userNotFound], changes: ["UserPoolId"])

  /// The request.
  public struct Input: Structure {
    /// The pool's id.
    public var userPoolID = ""
    /// The user name.
    public var username = ""
    /// The attributes.
    public var userAttributes: [AttributeType] = []
    /// For hooks.
    public var clientMetadata: [ExactString: String]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("Username", &username, .username)
      m.required("UserAttributes", &userAttributes, .init())
      m.optional("ClientMetadata", &clientMetadata, .clientMetadata)
    }
  }
}

/// Removes attributes of a user.
public enum AdminDeleteUserAttributes: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminDeleteUserAttributes", .developer(.administering, .pool("UserPoolId")),
    "Removes attributes of a user.",
    errors: .usual + [.userNotFound], changes: ["UserPoolId"])

  /// The request.
  public struct Input: Structure {
    /// The pool's id.
    public var userPoolID = ""
    /// The user name.
    public var username = ""
    /// The attributes.
    public var userAttributeNames: [String] = []

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("Username", &username, .username)
      m.required("UserAttributeNames", &userAttributeNames, .init(of: .attributeName))
    }
  }
}

/// Sets the password of a user.
public enum AdminSetUserPassword: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminSetUserPassword", .developer(.administering, .pool("UserPoolId")), "Sets the password of a user.",
    errors: .usual + [.userNotFound, .invalidPassword, .passwordHistoryPolicyViolation],
    changes: ["UserPoolId"])

  /// The request.
  public struct Input: Structure {
    /// The pool's id.
    public var userPoolID = ""
    /// The user name.
    public var username = ""
    /// The password.
    public var password = SecretText()
    /// True where the user keeps the password.
    public var permanent: Bool?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("Username", &username, .username)
      m.required("Password", &password, .password)
      m.optional("Permanent", &permanent)
    }
  }
}

/// Makes a user reset the password with a code.
public enum AdminResetUserPassword: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminResetUserPassword", .developer(.administering, .pool("UserPoolId")),
    "Makes a user reset the password with a code.",
    errors: .usual + .hooks + .messages + [.limitExceeded, .userNotFound], changes: ["UserPoolId"])

  /// The request.
  public typealias Input = UserNameWithMetadata
}

/// Ends all sign-ins of a user.
public enum AdminUserGlobalSignOut: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminUserGlobalSignOut", .developer(.administering, .pool("UserPoolId")), "Ends all sign-ins of a user.",
    errors: .usual + [.userNotFound], changes: ["UserPoolId"])

  /// The request.
  public typealias Input = UserName
}
