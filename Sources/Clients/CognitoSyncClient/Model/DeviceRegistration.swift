public import ServiceOperations
internal import TokenSecurityBase

/// The registration of this device for an identity. A device has one for each identity.
public struct DeviceRegistration: Sendable, Hashable {
  /// The identity.
  public let identityID: String
  /// The service that delivers the messages.
  public let platform: PushPlatform
  /// The device's id, which the service gave.
  public let deviceID: String

  /// A registration.
  ///
  /// - Parameters:
  ///   - identityID: the identity.
  ///   - platform: the service that delivers the messages.
  ///   - deviceID: the device's id.
  public init(identityID: String, platform: PushPlatform, deviceID: String) {
    self.identityID = identityID
    self.platform = platform
    self.deviceID = deviceID
  }
}
