internal import ServiceOperations
public import TokenLifetime
internal import TokenSecurityBase

/// A device that a pool has confirmed for a user.
public struct UserDevice: Sendable, Hashable {
  /// The device's key.
  public let key: String
  /// The attributes: `device_name`, `device_status`, `last_ip_used`.
  public let attributes: [UserAttribute]
  /// When the device was confirmed; nil if the service does not say so.
  public let created: Timestamp?
  /// When the device was last changed.
  public let lastModified: Timestamp?
  /// When the user last signed in with the device.
  public let lastAuthenticated: Timestamp?

  /// The device's name; nil for none.
  public var name: String? { attributes.first { $0.name == "device_name" }?.value }

  init(_ member: DeviceType, _ calls: UserPoolCalls) throws(UserPoolClientError) {
    key = try calls.present(member.deviceKey, "DeviceKey")
    attributes = (member.deviceAttributes ?? []).map { UserAttribute($0) }
    created = member.deviceCreateDate
    lastModified = member.deviceLastModifiedDate
    lastAuthenticated = member.deviceLastAuthenticatedDate
  }
}

/// A page of a user's devices.
public struct UserDevicePage: Sendable, Hashable {
  /// The devices.
  public let devices: [UserDevice]
  /// The token of the next page; nil after the last one.
  public let nextToken: String?
}

extension UserPoolClient {
  /// `ListDevices`: the devices of the signed-in user.
  ///
  /// - Parameters:
  ///   - accessToken: the user's access token.
  ///   - limit: the most devices of a page, 0 to 60. Default: the service's choice.
  ///   - token: the token of the page, from the page before. Default: the first page.
  /// - Returns: a page of devices.
  /// - Throws: `inputInvalid`, `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  public func devices(
    accessToken: String, limit: Int? = nil, after token: String? = nil
  ) async throws(UserPoolClientError) -> UserDevicePage {
    if let limit, !(0...60).contains(limit) {
      throw .inputInvalid(rule: "the limit of a page is \(limit), not 0 to 60")
    }
    let output = try await calls.call(ListDevices.self, accessToken: accessToken) {
      $0.limit = limit.map { Int64($0) }
      $0.paginationToken = token
    }
    var devices: [UserDevice] = []
    for device in output.devices ?? [] { devices.append(try UserDevice(device, calls)) }
    return UserDevicePage(devices: devices, nextToken: output.paginationToken)
  }

  /// `GetDevice`: a device of the signed-in user.
  ///
  /// - Parameters:
  ///   - key: the device's key.
  ///   - accessToken: the user's access token.
  /// - Returns: the device.
  /// - Throws: `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  public func device(_ key: String, accessToken: String) async throws(UserPoolClientError) -> UserDevice {
    let output = try await calls.call(GetDevice.self) {
      $0.accessToken = accessToken
      $0.deviceKey = key
    }
    return try UserDevice(output.device, calls)
  }

  /// `UpdateDeviceStatus`: sets whether a device of the signed-in user is remembered. At sign-ins with a
  /// remembered device the pool asks for no second factor.
  ///
  /// - Parameters:
  ///   - key: the device's key.
  ///   - isRemembered: true for a device that is remembered.
  ///   - accessToken: the user's access token.
  /// - Throws: `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  public func updateDevice(
    _ key: String, isRemembered: Bool, accessToken: String
  ) async throws(UserPoolClientError) {
    _ = try await calls.call(UpdateDeviceStatus.self, accessToken: accessToken) {
      $0.deviceKey = key
      $0.deviceRememberedStatus = isRemembered ? .remembered : .notRemembered
    }
  }

  /// `ForgetDevice`: removes a device of the signed-in user. Its refresh tokens end.
  ///
  /// - Parameters:
  ///   - key: the device's key.
  ///   - accessToken: the user's access token.
  /// - Throws: `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  public func forgetDevice(_ key: String, accessToken: String) async throws(UserPoolClientError) {
    _ = try await calls.call(ForgetDevice.self) {
      $0.accessToken = accessToken
      $0.deviceKey = key
    }
  }
}
