// Operations of administrators on factors of users.

let userFactorOperations: [any ServiceOperation.Type] = [
  AdminSetUserMFAPreference.self, AdminSetUserSettings.self, AdminDeleteSoftwareToken.self,
  AdminGetUserAuthFactors.self,
]

/// Sets the second factors of a user.
public enum AdminSetUserMFAPreference: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminSetUserMFAPreference", .developer(.administering, .pool("UserPoolId")),
    "Sets the second factors of a user.",
    errors: .userStates + [
      .resourceNotFound, .invalidParameter, .notAuthorized, .operationNotEnabled, .internalError,
    ], changes: ["UserPoolId"])

  /// The request.
  public struct Input: Structure {
    /// The pool's id.
    public var userPoolID = ""
    /// The user name.
    public var username = ""
    /// Codes by SMS.
    public var smsMFASettings: SMSMfaSettingsType?
    /// Software tokens.
    public var softwareTokenMFASettings: SoftwareTokenMfaSettingsType?
    /// Codes by e-mail.
    public var emailMFASettings: EmailMfaSettingsType?
    /// Passkeys.
    public var webAuthnMFASettings: WebAuthnMfaSettingsType?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("Username", &username, .username)
      m.optional("SMSMfaSettings", &smsMFASettings)
      m.optional("SoftwareTokenMfaSettings", &softwareTokenMFASettings)
      m.optional("EmailMfaSettings", &emailMFASettings)
      m.optional("WebAuthnMfaSettings", &webAuthnMFASettings)
    }
  }
}

/// Switches codes by SMS, as older clients do.
public enum AdminSetUserSettings: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminSetUserSettings", .developer(.administering, .pool("UserPoolId")),
    "Switches codes by SMS, as older clients do.",
    errors: [
      .resourceNotFound, .invalidParameter, .notAuthorized, .userNotFound, .operationNotEnabled,
      .internalError,
    ], changes: ["UserPoolId"])

  /// The request.
  public struct Input: Structure {
    /// The pool's id.
    public var userPoolID = ""
    /// The user name.
    public var username = ""
    /// The media of second factors, as older clients set them.
    public var mfaOptions: [MFAOptionType] = []

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("Username", &username, .username)
      m.required("MFAOptions", &mfaOptions, .init())
    }
  }
}

/// Removes the software token of a user.
public enum AdminDeleteSoftwareToken: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminDeleteSoftwareToken", .developer(.administering, .pool("UserPoolId")),
    "Removes the software token of a user.",
    errors: .usual + [.userNotFound, .userNotConfirmed], changes: ["UserPoolId"])

  /// The request.
  public typealias Input = UserName
}

/// Returns the factors that a user can sign in with.
public enum AdminGetUserAuthFactors: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminGetUserAuthFactors", .developer(.reading, .pool("UserPoolId")),
    "Returns the factors that a user can sign in with.",
    errors: .usual + [.userNotFound])

  /// The request.
  public typealias Input = UserName

  /// The answer.
  public typealias Output = AuthFactorsOutput
}
