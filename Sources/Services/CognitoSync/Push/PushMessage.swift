public import ServiceOperations
public import TokenSecurityBase

/// A silent push message: a data set has changed.
///
/// It is a hint alone. A device that gets it checks all of its members, and then asks the service.
public struct PushMessage: Sendable, Hashable {
  /// The pool's id.
  public let poolID: String
  /// The identity's id.
  public let identityID: String
  /// The data set's name.
  public let datasetName: String
  /// The data set's count after the change.
  public let syncCount: Int64
  /// The device's id.
  public let deviceID: String
  /// The platform that delivers the message.
  public let platform: PushPlatform
  /// The device's endpoint, as ``PushSender/register(_:)`` returned it.
  public let endpoint: String
  /// The ARN of the pool's application for the platform.
  public let applicationARN: String
  /// The ARN of the role that may use the application.
  public let roleARN: String

  /// Makes a message.
  ///
  /// - Parameters:
  ///   - poolID: the pool's id.
  ///   - identityID: the identity's id.
  ///   - datasetName: the data set's name.
  ///   - syncCount: the data set's count after the change.
  ///   - deviceID: the device's id.
  ///   - platform: the platform that delivers the message.
  ///   - endpoint: the device's endpoint.
  ///   - applicationARN: the ARN of the pool's application for the platform.
  ///   - roleARN: the ARN of the role that may use the application.
  public init(
    poolID: String, identityID: String, datasetName: String, syncCount: Int64, deviceID: String,
    platform: PushPlatform, endpoint: String, applicationARN: String, roleARN: String
  ) {
    self.poolID = poolID
    self.identityID = identityID
    self.datasetName = datasetName
    self.syncCount = syncCount
    self.deviceID = deviceID
    self.platform = platform
    self.endpoint = endpoint
    self.applicationARN = applicationARN
    self.roleARN = roleARN
  }

  /// The data for an application: `source`, `identityPoolId`, `identityId`, `datasetName` and `syncCount`. All values
  /// are texts, since Google's and Amazon's platforms carry nothing else.
  public var data: JSONObject {
    [
      "source": "cognito-sync", "identityPoolId": .string(poolID), "identityId": .string(identityID),
      "datasetName": .string(datasetName), "syncCount": .string("\(syncCount)"),
    ]
  }

  /// The message in the form of its platform. Apple's wakes the application and shows nothing.
  public var platformMessage: JSONObject {
    switch platform {
    case .apns, .apnsSandbox: ["aps": ["content-available": 1], "data": .object(data)]
    case .gcm, .adm: ["data": .object(data)]
    }
  }
}

/// The ARNs of platform applications of SNS: `arn:aws:sns:REGION:ACCOUNT:app/PLATFORM/NAME`.
package enum PushApplication {
  /// The platform of an application; nil for another text, and for a platform that data sets do not have.
  package static func platform(ofARN arn: String) -> PushPlatform? {
    guard let names = parts(ofARN: arn)?.last?.parts(at: "/"), names.count == 3, names[0] == "app" else {
      return nil
    }
    return PushPlatform(rawValue: ExactString(names[1]))
  }

  /// The application for a platform; nil for none.
  package static func application(for platform: PushPlatform, in arns: [String]) -> String? {
    arns.first { self.platform(ofARN: $0) == platform }
  }

  /// The region of an application or endpoint; nil for another text.
  package static func region(ofARN arn: String) -> String? { parts(ofARN: arn)?[3] }

  /// The six parts of an ARN of SNS.
  private static func parts(ofARN arn: String) -> [String]? {
    let parts = arn.parts(at: ":", most: 6)
    return parts.count == 6 && parts[0] == "arn" && parts[2] == "sns" ? parts : nil
  }
}
