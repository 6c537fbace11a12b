/// A user.
public struct UserType: Structure {
  /// The user name.
  public var username: String?
  /// The attributes.
  public var attributes: [AttributeType]?
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

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Username", &username, .username)
    m.optional("Attributes", &attributes, .init())
    m.optional("UserCreateDate", &userCreateDate)
    m.optional("UserLastModifiedDate", &userLastModifiedDate)
    m.optional("Enabled", &enabled)
    m.optional("UserStatus", &userStatus)
    m.optional("MFAOptions", &mfaOptions, .init())
  }
}

/// The status of a user.
public enum UserStatusType: ExactString, MemberChoice {
  /// The user has not confirmed the sign-up.
  case unconfirmed = "UNCONFIRMED"
  /// The user can sign in.
  case confirmed = "CONFIRMED"
  /// Not used.
  case archived = "ARCHIVED"
  /// Not used.
  case compromised = "COMPROMISED"
  /// Not used.
  case unknown = "UNKNOWN"
  /// The user must reset the password.
  case resetRequired = "RESET_REQUIRED"
  /// The user must replace a temporary password.
  case forceChangePassword = "FORCE_CHANGE_PASSWORD"
  /// The user signs in with another provider.
  case externalProvider = "EXTERNAL_PROVIDER"
}

/// What becomes of an invitation.
public enum MessageActionType: ExactString, MemberChoice {
  /// It is sent again.
  case resend = "RESEND"
  /// It is not sent.
  case suppress = "SUPPRESS"
}

/// A group.
public struct GroupType: Structure {
  /// The group's name.
  public var groupName: String?
  /// The pool's id.
  public var userPoolID: String?
  /// The description.
  public var description: String?
  /// The ARN of the role.
  public var roleARN: String?
  /// The rank; 0 comes first.
  public var precedence: Int64?
  /// When it was last changed.
  public var lastModifiedDate: Timestamp?
  /// When it was made.
  public var creationDate: Timestamp?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("GroupName", &groupName, .groupName)
    m.optional("UserPoolId", &userPoolID, .userPoolID)
    m.optional("Description", &description, .description)
    m.optional("RoleArn", &roleARN, .arn)
    m.optional("Precedence", &precedence, .precedence)
    m.optional("LastModifiedDate", &lastModifiedDate)
    m.optional("CreationDate", &creationDate)
  }
}

/// A group and its settings.
public struct GroupSettings: Structure {
  /// The pool's id.
  public var userPoolID = ""
  /// The group's name.
  public var groupName = ""
  /// The description.
  public var description: String?
  /// The ARN of the role.
  public var roleARN: String?
  /// The rank; 0 comes first.
  public var precedence: Int64?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("UserPoolId", &userPoolID, .userPoolID)
    m.required("GroupName", &groupName, .groupName)
    m.optional("Description", &description, .description)
    m.optional("RoleArn", &roleARN, .arn)
    m.optional("Precedence", &precedence, .precedence)
  }
}

/// Whether linked sessions end, too.
public enum RevokeAssociatedSessionsType: ExactString, MemberChoice {
  /// They do not.
  case none = "NONE"
  /// They do.
  case linked = "LINKED"
}
