/// A medium of a second factor.
public struct MFAOptionType: Structure {
  /// The medium.
  public var deliveryMedium: DeliveryMediumType?
  /// The attribute.
  public var attributeName: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("DeliveryMedium", &deliveryMedium)
    m.optional("AttributeName", &attributeName, .attributeName)
  }
}

/// The setting of codes by SMS.
public struct SMSMfaSettingsType: Structure {
  /// True where it is on.
  public var enabled: Bool?
  /// True where it is preferred.
  public var preferredMFA: Bool?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Enabled", &enabled)
    m.optional("PreferredMfa", &preferredMFA)
  }
}

/// The setting of software tokens.
public struct SoftwareTokenMfaSettingsType: Structure {
  /// True where it is on.
  public var enabled: Bool?
  /// True where it is preferred.
  public var preferredMFA: Bool?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Enabled", &enabled)
    m.optional("PreferredMfa", &preferredMFA)
  }
}

/// The setting of codes by e-mail.
public struct EmailMfaSettingsType: Structure {
  /// True where it is on.
  public var enabled: Bool?
  /// True where it is preferred.
  public var preferredMFA: Bool?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Enabled", &enabled)
    m.optional("PreferredMfa", &preferredMFA)
  }
}

/// The setting of passkeys.
public struct WebAuthnMfaSettingsType: Structure {
  /// True where it is on.
  public var enabled: Bool?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Enabled", &enabled)
  }
}

/// The outcome of a verification.
public enum VerifySoftwareTokenResponseType: ExactString, MemberChoice {
  /// The code was right.
  case success = "SUCCESS"
  /// The code was wrong.
  case error = "ERROR"
}
