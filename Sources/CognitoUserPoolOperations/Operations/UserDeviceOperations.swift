// Operations of administrators on devices of users.

let userDeviceOperations: [any ServiceOperation.Type] = [
  AdminGetDevice.self, AdminListDevices.self, AdminForgetDevice.self, AdminUpdateDeviceStatus.self,
]

/// Returns a device of a user.
public enum AdminGetDevice: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminGetDevice", .developer(.reading, .pool("UserPoolId")), "Returns a device of a user.",
    errors: .usual + [.invalidUserPoolConfiguration])

  /// The request.
  public typealias Input = DeviceName

  /// The answer.
  public typealias Output = DeviceOutput
}

/// Lists the devices of a user.
public enum AdminListDevices: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminListDevices", .developer(.reading, .pool("UserPoolId")), "Lists the devices of a user.",
    errors: .usual + [.invalidUserPoolConfiguration])

  /// The request.
  public struct Input: Structure {
    /// The pool's id.
    public var userPoolID = ""
    /// The user name.
    public var username = ""
    /// The most elements of the page.
    public var limit: Int64?
    /// The token of the next page.
    public var paginationToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("Username", &username, .username)
      m.optional("Limit", &limit, .limit)
      m.optional("PaginationToken", &paginationToken, .paginationToken)
    }
  }

  /// The answer.
  public typealias Output = DevicePage
}

/// Removes a device of a user.
public enum AdminForgetDevice: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminForgetDevice", .developer(.administering, .pool("UserPoolId")), "Removes a device of a user.",
    errors: .usual + [.invalidUserPoolConfiguration, .userNotFound], changes: ["UserPoolId"])

  /// The request.
  public typealias Input = DeviceName
}

/// Sets whether a device of a user is remembered.
public enum AdminUpdateDeviceStatus: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminUpdateDeviceStatus", .developer(.administering, .pool("UserPoolId")),
    "Sets whether a device of a user is remembered.",
    errors: .usual + [.invalidUserPoolConfiguration, .userNotFound], changes: ["UserPoolId"])

  /// The request.
  public struct Input: Structure {
    /// The pool's id.
    public var userPoolID = ""
    /// The user name.
    public var username = ""
    /// The device's key.
    public var deviceKey = ""
    /// Whether the device is remembered.
    public var deviceRememberedStatus: DeviceRememberedStatusType?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("Username", &username, .username)
      m.required("DeviceKey", &deviceKey, .deviceKey)
      m.optional("DeviceRememberedStatus", &deviceRememberedStatus)
    }
  }
}
