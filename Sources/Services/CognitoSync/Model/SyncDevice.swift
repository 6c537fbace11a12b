package import TokenLifetime

/// A device of an identity that gets push messages.
package struct SyncDevice: Sendable {
  /// The identity.
  package let identity: IdentityPlace
  /// A random id.
  package let id: String
  /// The platform that delivers messages to the device.
  package let platform: PushPlatform
  /// The platform's token: the address of the device.
  package let token: String
  /// The address that the sender of messages gave it, such as an endpoint of SNS.
  package let endpoint: String
  /// When it was registered.
  package let registered: Timestamp

  /// Makes a device from its parts.
  ///
  /// - Parameters:
  ///   - identity: the identity.
  ///   - id: a random id.
  ///   - platform: what delivers messages to it.
  ///   - token: the platform's token.
  ///   - endpoint: the address that the sender of messages gave it.
  ///   - registered: when it was registered.
  package init(
    identity: IdentityPlace, id: String, platform: PushPlatform, token: String, endpoint: String,
    registered: Timestamp
  ) {
    self.identity = identity
    self.id = id
    self.platform = platform
    self.token = token
    self.endpoint = endpoint
    self.registered = registered
  }
}

/// The subscription of a device to a data set.
package struct SyncSubscription: Sendable {
  package let datasetID: String
  package let identity: IdentityPlace
  package let deviceID: String

  package init(datasetID: String, identity: IdentityPlace, deviceID: String) {
    self.datasetID = datasetID
    self.identity = identity
    self.deviceID = deviceID
  }
}

/// Where push messages of a pool are sent.
package struct PushConfiguration: Sendable {
  /// The pool's id.
  package let poolID: String
  /// The ARNs of platform applications of SNS, at most one for each platform.
  package var applicationARNs: [String]
  /// The ARN of the role that may use them.
  package var roleARN: String

  /// Makes a configuration.
  ///
  /// - Parameters:
  ///   - poolID: the pool's id.
  ///   - applicationARNs: the ARNs of platform applications.
  ///   - roleARN: the ARN of the role.
  package init(poolID: String, applicationARNs: [String], roleARN: String) {
    self.poolID = poolID
    self.applicationARNs = applicationARNs
    self.roleARN = roleARN
  }
}
