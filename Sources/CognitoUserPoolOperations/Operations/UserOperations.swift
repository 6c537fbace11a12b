// Operations of administrators on users.

let userOperations: [any ServiceOperation.Type] = [
  AdminCreateUser.self, AdminGetUser.self, AdminDeleteUser.self, AdminConfirmSignUp.self,
  AdminEnableUser.self, AdminDisableUser.self, ListUsers.self,
]

/// Makes a user with a temporary password and sends an invitation.
public enum AdminCreateUser: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminCreateUser", .developer(.administering, .pool("UserPoolId")),
    "Makes a user with a temporary password and sends an invitation.",
    errors: .usual + .hooks + [
      .userNotFound, .usernameExists, .invalidPassword, .codeDeliveryFailure, .preconditionNotMet,
      .invalidSMSRoleAccessPolicy, .invalidSMSRoleTrustRelationship, .unsupportedUserState,
    ], changes: ["UserPoolId"])

  /// The request.
  public struct Input: Structure {
    /// The pool's id.
    public var userPoolID = ""
    /// The user name.
    public var username = ""
    /// The attributes.
    public var userAttributes: [AttributeType]?
    /// For the hook before a sign-up.
    public var validationData: [AttributeType]?
    /// The temporary password.
    public var temporaryPassword: SecretText?
    /// True where an alias is taken from another user.
    public var forceAliasCreation: Bool?
    /// Whether the invitation is sent again, or not at all.
    public var messageAction: MessageActionType?
    /// The media of the invitation.
    public var desiredDeliveryMediums: [DeliveryMediumType]?
    /// For hooks.
    public var clientMetadata: [ExactString: String]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("Username", &username, .username)
      m.optional("UserAttributes", &userAttributes, .init())
      m.optional("ValidationData", &validationData, .init())
      m.optional("TemporaryPassword", &temporaryPassword, .password)
      m.optional("ForceAliasCreation", &forceAliasCreation)
      m.optional("MessageAction", &messageAction)
      m.optional("DesiredDeliveryMediums", &desiredDeliveryMediums, .init())
      m.optional("ClientMetadata", &clientMetadata, .clientMetadata)
    }
  }

  /// The answer.
  public struct Output: Structure {
    /// The user.
    public var user: UserType?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("User", &user)
    }
  }
}

/// Returns a user.
public enum AdminGetUser: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminGetUser", .developer(.reading, .pool("UserPoolId")), "Returns a user.",
    errors: .usual + [.userNotFound])

  /// The request.
  public typealias Input = UserName

  /// The answer.
  public struct Output: Structure {
    /// The user name.
    public var username = ""
    /// The attributes.
    public var userAttributes: [AttributeType]?
    /// When the user was made.
    public var userCreateDate: Timestamp?
    /// When the user was last changed.
    public var userLastModifiedDate: Timestamp?
    /// True where it is on.
    public var enabled: Bool?
    /// The status.
    public var userStatus: UserStatusType?
    /// The media of second factors, as older clients set them.
    public var mfaOptions: [MFAOptionType]?
    /// The preferred second factor.
    public var preferredMFASetting: String?
    /// The second factors that are on.
    public var userMFASettingList: [String]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("Username", &username, .username)
      m.optional("UserAttributes", &userAttributes, .init())
      m.optional("UserCreateDate", &userCreateDate)
      m.optional("UserLastModifiedDate", &userLastModifiedDate)
      m.optional("Enabled", &enabled)
      m.optional("UserStatus", &userStatus)
      m.optional("MFAOptions", &mfaOptions, .init())
      m.optional("PreferredMfaSetting", &preferredMFASetting, .text)
      m.optional("UserMFASettingList", &userMFASettingList, .init(of: .text))
    }
  }
}

/// Removes a user.
public enum AdminDeleteUser: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminDeleteUser", .developer(.administering, .pool("UserPoolId")), "Removes a user.",
    errors: .usual + [.userNotFound], changes: ["UserPoolId"])

  /// The request.
  public typealias Input = UserName
}

/// Confirms a sign-up without a code.
public enum AdminConfirmSignUp: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminConfirmSignUp", .developer(.administering, .pool("UserPoolId")),
    "Confirms a sign-up without a code.",
    errors: .usual + .hooks + [.tooManyFailedAttempts, .limitExceeded, .userNotFound], changes: ["UserPoolId"]
  )

  /// The request.
  public typealias Input = UserNameWithMetadata
}

/// Lets a user sign in again.
public enum AdminEnableUser: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminEnableUser", .developer(.administering, .pool("UserPoolId")), "Lets a user sign in again.",
    errors: .usual + [.userNotFound], changes: ["UserPoolId"])

  /// The request.
  public typealias Input = UserName
}

/// Keeps a user from signing in.
public enum AdminDisableUser: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminDisableUser", .developer(.administering, .pool("UserPoolId")), "Keeps a user from signing in.",
    errors: .usual + [.userNotFound], changes: ["UserPoolId"])

  /// The request.
  public typealias Input = UserName
}

/// Lists the users of a pool.
public enum ListUsers: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ListUsers", .developer(.reading, .pool("UserPoolId")), "Lists the users of a pool.",
    errors: .usual)

  /// The request.
  public struct Input: Structure {
    /// The pool's id.
    public var userPoolID = ""
    /// The attributes in the answer; all of them where it is absent.
    public var attributesToGet: [String]?
    /// The most elements of the page.
    public var limit: Int64?
    /// The token of the next page.
    public var paginationToken: String?
    /// Which users: `name = "value"` or `name ^= "beginning"`.
    public var filter: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.optional("AttributesToGet", &attributesToGet, .init(of: .attributeName))
      m.optional("Limit", &limit, .limit)
      m.optional("PaginationToken", &paginationToken, .paginationToken)
      m.optional("Filter", &filter, .userFilter)
    }
  }

  /// The answer.
  public struct Output: Structure {
    /// The users.
    public var users: [UserType]?
    /// The token of the next page.
    public var paginationToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("Users", &users, .init())
      m.optional("PaginationToken", &paginationToken, .paginationToken)
    }
  }
}
