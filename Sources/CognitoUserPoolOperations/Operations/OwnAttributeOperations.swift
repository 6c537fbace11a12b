// Operations of users on themselves.

let ownAttributeOperations: [any ServiceOperation.Type] = [
  GetUser.self, UpdateUserAttributes.self, DeleteUserAttributes.self, GetUserAttributeVerificationCode.self,
  VerifyUserAttribute.self, DeleteUser.self,
]

/// Returns the user of an access token.
public enum GetUser: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetUser", .accessToken(member: "AccessToken"), "Returns the user of an access token.",
    errors: .usual + .userStates + [.forbidden])

  /// The request.
  public typealias Input = AccessTokenOnly

  /// The answer.
  public struct Output: Structure {
    /// The user name.
    public var username = ""
    /// The attributes.
    public var userAttributes: [AttributeType] = []
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
      m.required("UserAttributes", &userAttributes, .init())
      m.optional("MFAOptions", &mfaOptions, .init())
      m.optional("PreferredMfaSetting", &preferredMFASetting, .text)
      m.optional("UserMFASettingList", &userMFASettingList, .init(of: .text))
    }
  }
}

/// Changes attributes of the user.
public enum UpdateUserAttributes: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "UpdateUserAttributes", .accessToken(member: "AccessToken"), "Changes attributes of the user.",
    errors: .usual + .hooks + .messages + .userStates + [
      .codeMismatch, .expiredCode, .aliasExists, .codeDeliveryFailure, .forbidden,
    ], changes: [])

  /// The request.
  public struct Input: Structure {
    /// The access token.
    public var accessToken = ""
    /// The attributes.
    public var userAttributes: [AttributeType] = []
    /// For hooks.
    public var clientMetadata: [ExactString: String]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("AccessToken", &accessToken, .token)
      m.required("UserAttributes", &userAttributes, .init())
      m.optional("ClientMetadata", &clientMetadata, .clientMetadata)
    }
  }

  /// The answer.
  public struct Output: Structure {
    /// Where codes were sent.
    public var codeDeliveryDetailsList: [CodeDeliveryDetailsType]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("CodeDeliveryDetailsList", &codeDeliveryDetailsList, .init())
    }
  }
}

/// Removes attributes of the user.
public enum DeleteUserAttributes: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "DeleteUserAttributes", .accessToken(member: "AccessToken"), "Removes attributes of the user.",
    errors: .usual + .userStates + [.forbidden], changes: [])

  /// The request.
  public struct Input: Structure {
    /// The access token.
    public var accessToken = ""
    /// The attributes.
    public var userAttributeNames: [String] = []

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("AccessToken", &accessToken, .token)
      m.required("UserAttributeNames", &userAttributeNames, .init(of: .attributeName))
    }
  }
}

/// Sends a code with which an address is verified.
public enum GetUserAttributeVerificationCode: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetUserAttributeVerificationCode", .accessToken(member: "AccessToken"),
    "Sends a code with which an address is verified.",
    errors: .usual + .hooks + .messages + .userStates + [.codeDeliveryFailure, .limitExceeded, .forbidden],
    changes: [])

  /// The request.
  public struct Input: Structure {
    /// The access token.
    public var accessToken = ""
    /// The attribute.
    public var attributeName = ""
    /// For hooks.
    public var clientMetadata: [ExactString: String]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("AccessToken", &accessToken, .token)
      m.required("AttributeName", &attributeName, .attributeName)
      m.optional("ClientMetadata", &clientMetadata, .clientMetadata)
    }
  }

  /// The answer.
  public typealias Output = CodeDelivery
}

/// Verifies an address with a code.
public enum VerifyUserAttribute: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "VerifyUserAttribute", .accessToken(member: "AccessToken"), "Verifies an address with a code.",
    errors: .usual + .userStates + [.codeMismatch, .expiredCode, .limitExceeded, .aliasExists, .forbidden],
    changes: [])

  /// The request.
  public struct Input: Structure {
    /// The access token.
    public var accessToken = ""
    /// The attribute.
    public var attributeName = ""
    /// The code.
    public var code = ""

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("AccessToken", &accessToken, .token)
      m.required("AttributeName", &attributeName, .attributeName)
      m.required("Code", &code, .confirmationCode)
    }
  }
}

/// Removes the user.
public enum DeleteUser: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "DeleteUser", .accessToken(member: "AccessToken"), "Removes the user.",
    errors: .usual + .userStates + [.forbidden], changes: [])

  /// The request.
  public typealias Input = AccessTokenOnly
}
