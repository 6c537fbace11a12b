internal import TokenSecurityBase

extension UserDevice {
  /// The attributes of a device, as callers see them.
  ///
  /// - Parameters:
  ///   - owner: the user.
  ///   - account: the account in the device's ARN.
  /// - Returns: names and values.
  func attributes(owner: User, account: String) -> [(name: String, value: String)] {
    let region = poolID.parts(at: "_", most: 2)[0]
    let ownerName = "\(owner.name).\(poolID)"
    var attributes = [(name: "device_status", value: "valid")]
    if let name { attributes.append(("device_name", name)) }
    if let lastAddress { attributes.append(("last_ip_used", lastAddress)) }
    return attributes + [
      ("dev:device_remembered_status", isRemembered ? "remembered" : "not_remembered"),
      ("dev:device_arn", "arn:aws:cognito-idp:\(region):\(account):owner/\(ownerName)/device/\(key)"),
      ("dev:device_owner", ownerName), ("dev:device_sdk", "aws-sdk"),
    ]
  }
}
