// Operations on the second factors of pools.

let poolFactorOperations: [any ServiceOperation.Type] = [
  SetUserPoolMfaConfig.self, GetUserPoolMfaConfig.self,
]

/// Sets the second factors of a pool.
public enum SetUserPoolMfaConfig: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "SetUserPoolMfaConfig", .developer(.administering, .pool("UserPoolId")),
    "Sets the second factors of a pool.",
    errors: .usual + [
      .concurrentModification, .invalidSMSRoleAccessPolicy, .invalidSMSRoleTrustRelationship,
      .featureUnavailableInTier,
    ], changes: ["UserPoolId"])

  /// The request.
  public struct Input: Structure {
    /// The pool's id.
    public var userPoolID = ""
    /// Codes by SMS as a second factor.
    public var smsMFAConfiguration: SmsMfaConfigType?
    /// Software tokens as a second factor.
    public var softwareTokenMFAConfiguration: SoftwareTokenMfaConfigType?
    /// Codes by e-mail as a second factor.
    public var emailMFAConfiguration: EmailMfaConfigType?
    /// Whether sign-ins need a second factor.
    public var mfaConfiguration: UserPoolMfaType?
    /// Passkeys.
    public var webAuthnConfiguration: WebAuthnConfigurationType?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.optional("SmsMfaConfiguration", &smsMFAConfiguration)
      m.optional("SoftwareTokenMfaConfiguration", &softwareTokenMFAConfiguration)
      m.optional("EmailMfaConfiguration", &emailMFAConfiguration)
      m.optional("MfaConfiguration", &mfaConfiguration)
      m.optional("WebAuthnConfiguration", &webAuthnConfiguration)
    }
  }

  /// The answer.
  public typealias Output = MFAConfiguration
}

/// Returns the second factors of a pool.
public enum GetUserPoolMfaConfig: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetUserPoolMfaConfig", .developer(.reading, .pool("UserPoolId")),
    "Returns the second factors of a pool.",
    errors: [.invalidParameter, .tooManyRequests, .resourceNotFound, .notAuthorized, .internalError])

  /// The request.
  public typealias Input = UserPoolName

  /// The answer.
  public typealias Output = MFAConfiguration
}
