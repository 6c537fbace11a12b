public import TokenSecurityCrypto

/// A user's name and password.
public struct UserPassword: ~Copyable, Sendable {
  /// The name or alias.
  public let username: String
  /// The password.
  public let password: SecretBytes

  /// Creates a pair.
  ///
  /// - Parameters:
  ///   - username: the name or alias.
  ///   - password: the password.
  public init(username: String, password: consuming SecretBytes) {
    self.username = username
    self.password = password
  }
}

/// A new password, with the attributes that go with it.
public struct NewUserPassword: ~Copyable, Sendable {
  /// The password.
  public let password: SecretBytes
  /// Values of attributes.
  public let attributes: [UserAttribute]

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - password: the password.
  ///   - attributes: values of attributes. Default: none.
  public init(password: consuming SecretBytes, attributes: [UserAttribute] = []) {
    self.password = password
    self.attributes = attributes
  }
}

/// The first code of an authenticator app.
public struct SoftwareTokenSetUp: Sendable, Hashable {
  /// The code, six digits.
  public let code: String
  /// A name of the user's device; nil for none.
  public let deviceName: String?

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - code: the code, six digits.
  ///   - deviceName: a name of the user's device. Default: none.
  public init(code: String, deviceName: String? = nil) {
    self.code = code
    self.deviceName = deviceName
  }
}

/// Where a user finds a code.
@nonexhaustive public enum CodeSource: Sendable, Hashable {
  /// In a message.
  case message(CodeDelivery)
  /// In an authenticator app, on the device with this name.
  case softwareToken(deviceName: String?)
}
