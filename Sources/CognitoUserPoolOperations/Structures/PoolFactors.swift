/// Whether sign-ins need a second factor.
public enum UserPoolMfaType: ExactString, MemberChoice {
  /// No second factor.
  case off = "OFF"
  /// Each sign-in needs one.
  case on = "ON"
  /// Users who have set one up need it.
  case optional = "OPTIONAL"
}

/// The second factors of a pool.
public struct MFAConfiguration: Structure {
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
    m.optional("SmsMfaConfiguration", &smsMFAConfiguration)
    m.optional("SoftwareTokenMfaConfiguration", &softwareTokenMFAConfiguration)
    m.optional("EmailMfaConfiguration", &emailMFAConfiguration)
    m.optional("MfaConfiguration", &mfaConfiguration)
    m.optional("WebAuthnConfiguration", &webAuthnConfiguration)
  }
}

/// Codes by SMS as a second factor.
public struct SmsMfaConfigType: Structure {
  /// The text of SMS that authenticate.
  public var smsAuthenticationMessage: String?
  /// How SMS are sent.
  public var smsConfiguration: SmsConfigurationType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("SmsAuthenticationMessage", &smsAuthenticationMessage, .smsVerificationMessage)
    m.optional("SmsConfiguration", &smsConfiguration)
  }
}

/// Software tokens as a second factor.
public struct SoftwareTokenMfaConfigType: Structure {
  /// True where it is on.
  public var enabled: Bool?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Enabled", &enabled)
  }
}

/// Codes by e-mail as a second factor.
public struct EmailMfaConfigType: Structure {
  /// The text.
  public var message: String?
  /// The subject.
  public var subject: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Message", &message, .emailMFAMessage)
    m.optional("Subject", &subject, .emailMFASubject)
  }
}

/// The settings of passkeys.
public struct WebAuthnConfigurationType: Structure {
  /// The relying party of passkeys.
  public var relyingPartyID: String?
  /// Whether passkeys verify the user.
  public var userVerification: UserVerificationType?
  /// Whether passkeys are one factor or two.
  public var factorConfiguration: WebAuthnFactorConfigurationType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("RelyingPartyId", &relyingPartyID, .relyingPartyID)
    m.optional("UserVerification", &userVerification)
    m.optional("FactorConfiguration", &factorConfiguration)
  }
}

/// Whether passkeys verify the user.
public enum UserVerificationType: ExactString, MemberChoice {
  /// It is needed.
  case required = "required"
  /// It is preferred.
  case preferred = "preferred"
}

/// Whether passkeys are one factor or two.
public enum WebAuthnFactorConfigurationType: ExactString, MemberChoice {
  /// One factor.
  case singleFactor = "SINGLE_FACTOR"
  /// Two factors, if the user is verified.
  case multiFactorWithUserVerification = "MULTI_FACTOR_WITH_USER_VERIFICATION"
}
