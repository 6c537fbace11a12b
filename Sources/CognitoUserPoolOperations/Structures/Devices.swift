/// A device of a user.
public struct DeviceType: Structure {
  /// The device's key.
  public var deviceKey: String?
  /// The attributes.
  public var deviceAttributes: [AttributeType]?
  /// When it was made.
  public var deviceCreateDate: Timestamp?
  /// When it was last changed.
  public var deviceLastModifiedDate: Timestamp?
  /// When it was last used to sign in.
  public var deviceLastAuthenticatedDate: Timestamp?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("DeviceKey", &deviceKey, .deviceKey)
    m.optional("DeviceAttributes", &deviceAttributes, .init())
    m.optional("DeviceCreateDate", &deviceCreateDate)
    m.optional("DeviceLastModifiedDate", &deviceLastModifiedDate)
    m.optional("DeviceLastAuthenticatedDate", &deviceLastAuthenticatedDate)
  }
}

/// The secret of a device, as the service keeps it.
public struct DeviceSecretVerifierConfigType: Structure {
  /// The verifier, in base64.
  public var passwordVerifier: String?
  /// The salt, in base64.
  public var salt: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("PasswordVerifier", &passwordVerifier, .text)
    m.optional("Salt", &salt, .text)
  }
}

/// Whether a device is remembered.
public enum DeviceRememberedStatusType: ExactString, MemberChoice {
  /// It is remembered.
  case remembered = "remembered"
  /// It is not remembered.
  case notRemembered = "not_remembered"
}
