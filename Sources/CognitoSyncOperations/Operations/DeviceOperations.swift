internal import CognitoIdentityOperations

// Operations on devices and their subscriptions.

let deviceOperations: [any ServiceOperation.Type] = [
  RegisterDevice.self, SubscribeToDataset.self, UnsubscribeFromDataset.self,
]

/// Registers a device for push messages.
public enum RegisterDevice: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "RegisterDevice", .identity(.pool("IdentityPoolId")), "Registers a device for push messages.",
    route: .post("/identitypools/{IdentityPoolId}/identity/{IdentityId}/device"), errors: .pushing,
    changes: ["IdentityPoolId", "IdentityId", "DeviceId"])

  /// The identity and the device.
  public struct Input: Structure {
    /// The pool's id.
    public var poolID = ""
    /// The identity's id.
    public var identityID = ""
    /// What delivers messages to the device.
    public var platform = PushPlatform.apns
    /// The device's token of the platform.
    public var token = ""

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("IdentityPoolId", &poolID, .identityID, in: .path("IdentityPoolId"))
      m.required("IdentityId", &identityID, .identityID, in: .path("IdentityId"))
      m.required("Platform", &platform)
      m.required("Token", &token, .pushToken)
    }
  }

  /// The device's id.
  public struct Output: Structure {
    /// The id.
    public var deviceID: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) { m.optional("DeviceId", &deviceID, .deviceID) }
  }
}

/// A device and a data set.
public struct DatasetSubscription: Structure {
  /// The data set.
  public var dataset = DatasetName()
  /// The device's id.
  public var deviceID = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    dataset.members(&m)
    m.required("DeviceId", &deviceID, .deviceID, in: .path("DeviceId"))
  }
}

/// Subscribes a device to a data set.
public enum SubscribeToDataset: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "SubscribeToDataset", .identity(.pool("IdentityPoolId")),
    "Lets a device get a push message for each change of a data set by others.",
    route: .post(
      "/identitypools/{IdentityPoolId}/identities/{IdentityId}/datasets/{DatasetName}/subscriptions/{DeviceId}"
    ), errors: .pushing, changes: ["IdentityPoolId", "IdentityId", "DatasetName", "DeviceId"])

  /// The device and the data set.
  public typealias Input = DatasetSubscription
}

/// Ends the subscription of a device to a data set.
public enum UnsubscribeFromDataset: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "UnsubscribeFromDataset", .identity(.pool("IdentityPoolId")),
    "Ends the push messages to a device for a data set.",
    route: .delete(
      "/identitypools/{IdentityPoolId}/identities/{IdentityId}/datasets/{DatasetName}/subscriptions/{DeviceId}"
    ), errors: .pushing, changes: ["IdentityPoolId", "IdentityId", "DatasetName", "DeviceId"])

  /// The device and the data set.
  public typealias Input = DatasetSubscription
}
