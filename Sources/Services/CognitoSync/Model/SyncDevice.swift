package import Records
package import TokenLifetime

/// A device of an identity that gets push messages.
package struct SyncDevice: StoredFields {
  /// The identity.
  package private(set) var identity = IdentityKey()
  /// A random id.
  package private(set) var id = ""
  /// The platform that delivers messages to the device.
  package private(set) var platform = PushPlatform.gcm
  /// The platform's token: the address of the device.
  package private(set) var token = ""
  /// The address that the sender of messages gave it, such as an endpoint of SNS.
  package private(set) var endpoint = ""
  /// When it was registered.
  package private(set) var registered = Timestamp(seconds: 0)

  package init() {}

  package init(
    identity: IdentityKey, id: String, platform: PushPlatform, token: String, endpoint: String,
    registered: Timestamp
  ) {
    self.identity = identity
    self.id = id
    self.platform = platform
    self.token = token
    self.endpoint = endpoint
    self.registered = registered
  }

  package mutating func fields(_ f: inout RowFields) {
    identity.fields(&f)
    f.text("id", &id)
    f.choice("platform", &platform)
    f.text("token", &token)
    f.text("endpoint", &endpoint)
    f.instant("registered", &registered)
  }
}

/// The subscription of a device to a data set.
package struct SyncSubscription: StoredFields {
  package private(set) var datasetID = ""
  package private(set) var identity = IdentityKey()
  package private(set) var deviceID = ""

  package init() {}

  package init(datasetID: String, identity: IdentityKey, deviceID: String) {
    self.datasetID = datasetID
    self.identity = identity
    self.deviceID = deviceID
  }

  package mutating func fields(_ f: inout RowFields) {
    f.text("dataset", &datasetID)
    identity.fields(&f)
    f.text("device", &deviceID)
  }
}

/// Where push messages of a pool are sent.
package struct PushConfiguration: StoredFields {
  /// The pool's id.
  package private(set) var poolID = ""
  /// The ARNs of platform applications of SNS, at most one for each platform.
  package var applicationARNs: [String] = []
  /// The ARN of the role that may use them.
  package var roleARN = ""

  package init() {}

  package init(poolID: String, applicationARNs: [String], roleARN: String) {
    self.poolID = poolID
    self.applicationARNs = applicationARNs
    self.roleARN = roleARN
  }

  package mutating func fields(_ f: inout RowFields) {
    f.text("pool", &poolID)
    f.value("applications", &applicationARNs, .list(.text))
    f.text("role", &roleARN)
  }
}
