// Operations of users on their devices.

let ownDeviceOperations: [any ServiceOperation.Type] = [
  ConfirmDevice.self, UpdateDeviceStatus.self, ListDevices.self, GetDevice.self, ForgetDevice.self,
]

/// Sets the secret of a new device.
public enum ConfirmDevice: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ConfirmDevice", .accessToken(member: "AccessToken"), "Sets the secret of a new device.",
    errors: .usual + .userStates + [
      .invalidPassword, .invalidLambdaResponse, .usernameExists, .invalidUserPoolConfiguration,
      .deviceKeyExists, .forbidden,
    ], changes: [])

  /// The request.
  public struct Input: Structure {
    /// The access token.
    public var accessToken = ""
    /// The device's key.
    public var deviceKey = ""
    /// The verifier and salt.
    public var deviceSecretVerifierConfig: DeviceSecretVerifierConfigType?
    /// The device's name.
    public var deviceName: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("AccessToken", &accessToken, .token)
      m.required("DeviceKey", &deviceKey, .deviceKey)
      m.optional("DeviceSecretVerifierConfig", &deviceSecretVerifierConfig)
      m.optional("DeviceName", &deviceName, .deviceName)
    }
  }

  /// The answer.
  public struct Output: Structure {
    /// True where the user must say that the device is remembered.
    public var userConfirmationNecessary: Bool?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("UserConfirmationNecessary", &userConfirmationNecessary)
    }
  }
}

/// Sets whether a device is remembered.
public enum UpdateDeviceStatus: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "UpdateDeviceStatus", .accessToken(member: "AccessToken"), "Sets whether a device is remembered.",
    errors: .usual + .userStates + [.invalidUserPoolConfiguration, .forbidden], changes: [])

  /// The request.
  public struct Input: Structure {
    /// The access token.
    public var accessToken = ""
    /// The device's key.
    public var deviceKey = ""
    /// Whether the device is remembered.
    public var deviceRememberedStatus: DeviceRememberedStatusType?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("AccessToken", &accessToken, .token)
      m.required("DeviceKey", &deviceKey, .deviceKey)
      m.optional("DeviceRememberedStatus", &deviceRememberedStatus)
    }
  }
}

/// Lists the devices of the user.
public enum ListDevices: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ListDevices", .accessToken(member: "AccessToken"), "Lists the devices of the user.",
    errors: .usual + .userStates + [.invalidUserPoolConfiguration, .forbidden])

  /// The request.
  public struct Input: Structure {
    /// The access token.
    public var accessToken = ""
    /// The most elements of the page.
    public var limit: Int64?
    /// The token of the next page.
    public var paginationToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("AccessToken", &accessToken, .token)
      m.optional("Limit", &limit, .limit)
      m.optional("PaginationToken", &paginationToken, .paginationToken)
    }
  }

  /// The answer.
  public typealias Output = DevicePage
}

/// Returns a device of the user.
public enum GetDevice: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetDevice", .accessToken(member: "AccessToken"), "Returns a device of the user.",
    errors: .usual + .userStates + [.invalidUserPoolConfiguration, .forbidden])

  /// The request.
  public typealias Input = OwnDeviceName

  /// The answer.
  public typealias Output = DeviceOutput
}

/// Removes a device of the user.
public enum ForgetDevice: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ForgetDevice", .accessToken(member: "AccessToken"), "Removes a device of the user.",
    errors: .usual + .userStates + [.invalidUserPoolConfiguration, .forbidden], changes: [])

  /// The request.
  public typealias Input = OwnDeviceName
}
