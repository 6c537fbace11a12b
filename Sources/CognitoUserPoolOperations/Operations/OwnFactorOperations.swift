// Operations of users on their factors.

let ownFactorOperations: [any ServiceOperation.Type] = [
  AssociateSoftwareToken.self, VerifySoftwareToken.self, SetUserMFAPreference.self, SetUserSettings.self,
  GetUserAuthFactors.self,
]

/// Makes the secret of a software token.
public enum AssociateSoftwareToken: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AssociateSoftwareToken", .accessTokenOrSession(token: "AccessToken", session: "Session"),
    "Makes the secret of a software token.",
    errors: [
      .concurrentModification, .invalidParameter, .notAuthorized, .resourceNotFound, .internalError,
      .softwareTokenMFANotFound, .forbidden, .operationNotEnabled,
    ], changes: [])

  /// The request.
  public struct Input: Structure {
    /// The access token.
    public var accessToken: String?
    /// The session.
    public var session: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("AccessToken", &accessToken, .token)
      m.optional("Session", &session, .session)
    }
  }

  /// The answer.
  public struct Output: Structure {
    /// The secret, in base32.
    public var secretCode: SecretText?
    /// The session.
    public var session: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("SecretCode", &secretCode, .secretCode)
      m.optional("Session", &session, .session)
    }
  }
}

/// Verifies a software token with a code.
public enum VerifySoftwareToken: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "VerifySoftwareToken", .accessTokenOrSession(token: "AccessToken", session: "Session"),
    "Verifies a software token with a code.",
    errors: .usual + .userStates + [
      .invalidUserPoolConfiguration, .enableSoftwareTokenMFA, .softwareTokenMFANotFound, .codeMismatch,
      .forbidden,
    ], changes: [])

  /// The request.
  public struct Input: Structure {
    /// The access token.
    public var accessToken: String?
    /// The session.
    public var session: String?
    /// The code of the software token.
    public var userCode = ""
    /// The name of the software token.
    public var friendlyDeviceName: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("AccessToken", &accessToken, .token)
      m.optional("Session", &session, .session)
      m.required("UserCode", &userCode, .softwareTokenCode)
      m.optional("FriendlyDeviceName", &friendlyDeviceName, .text)
    }
  }

  /// The answer.
  public struct Output: Structure {
    /// The status.
    public var status: VerifySoftwareTokenResponseType?
    /// The session.
    public var session: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("Status", &status)
      m.optional("Session", &session, .session)
    }
  }
}

/// Sets the second factors of the user.
public enum SetUserMFAPreference: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "SetUserMFAPreference", .accessToken(member: "AccessToken"), "Sets the second factors of the user.",
    errors: .userStates + [
      .resourceNotFound, .invalidParameter, .notAuthorized, .operationNotEnabled, .internalError, .forbidden,
    ], changes: [])

  /// The request.
  public struct Input: Structure {
    /// The access token.
    public var accessToken = ""
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
      m.required("AccessToken", &accessToken, .token)
      m.optional("SMSMfaSettings", &smsMFASettings)
      m.optional("SoftwareTokenMfaSettings", &softwareTokenMFASettings)
      m.optional("EmailMfaSettings", &emailMFASettings)
      m.optional("WebAuthnMfaSettings", &webAuthnMFASettings)
    }
  }
}

/// Switches codes by SMS, as older clients do.
public enum SetUserSettings: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "SetUserSettings", .accessToken(member: "AccessToken"), "Switches codes by SMS, as older clients do.",
    errors: .userStates + [
      .resourceNotFound, .invalidParameter, .notAuthorized, .operationNotEnabled, .internalError, .forbidden,
    ], changes: [])

  /// The request.
  public struct Input: Structure {
    /// The access token.
    public var accessToken = ""
    /// The media of second factors, as older clients set them.
    public var mfaOptions: [MFAOptionType] = []

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("AccessToken", &accessToken, .token)
      m.required("MFAOptions", &mfaOptions, .init())
    }
  }
}

/// Returns the factors that the user can sign in with.
public enum GetUserAuthFactors: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetUserAuthFactors", .accessToken(member: "AccessToken"),
    "Returns the factors that the user can sign in with.",
    errors: .usual + .userStates + [.forbidden])

  /// The request.
  public typealias Input = AccessTokenOnly

  /// The answer.
  public typealias Output = AuthFactorsOutput
}
