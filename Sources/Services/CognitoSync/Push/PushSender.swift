public import ServiceOperations
public import TokenSecurityBase

/// Sends silent push messages to devices: AWS SNS, or a gateway of the operator.
///
///     struct Printer: PushSender {
///       func register(_ device: PushRegistration) async throws(PushError) -> String { "printer" }
///       func send(_ message: PushMessage) async throws(PushError) { print(message.datasetName) }
///       func remove(_ endpoint: PushEndpoint) async throws(PushError) {}
///     }
///
/// ``PushDelivery`` calls ``send(_:)`` for each message and ``remove(_:)`` for each endpoint that no device has any
/// more, again after `unavailable`. Both can happen twice, for instance where a process ends before it has noted
/// that it sent a message. A call that takes more than 15 seconds is cancelled.
public protocol PushSender: Sendable {
  /// Makes the endpoint of a device, or returns the one that the token has.
  ///
  /// - Parameter device: the device.
  /// - Returns: the endpoint, 1 to 2,048 bytes of visible ASCII: an ARN for instance. It is stored. Another text
  ///   counts as `unavailable`.
  /// - Throws: `unavailable`, `configurationRefused`, `tokenRefused`.
  func register(_ device: PushRegistration) async throws(PushError) -> String

  /// Sends a message. At most eight messages are sent at a time, each within 15 seconds.
  ///
  /// - Parameter message: the message.
  /// - Throws: `unavailable` where a later try may succeed, any other error where the message is given up.
  func send(_ message: PushMessage) async throws(PushError)

  /// Removes the endpoint of a device that is gone. At most four are removed at a time.
  ///
  /// - Parameter endpoint: the endpoint.
  /// - Throws: `unavailable` where a later try may succeed; `endpointRefused` where there is no such endpoint, which
  ///   is as good; any other error where the endpoint is left.
  func remove(_ endpoint: PushEndpoint) async throws(PushError)
}

/// The endpoint of a device that was replaced, or whose identity or pool was removed.
public struct PushEndpoint: Sendable, Hashable {
  /// The pool's id. The pool may be gone.
  public let poolID: String
  /// The platform that delivered messages to the device.
  public let platform: PushPlatform
  /// The endpoint, as ``PushSender/register(_:)`` returned it.
  public let endpoint: String
  /// The ARN of the role that may remove it.
  public let roleARN: String

  /// Makes the endpoint of a device that is gone.
  ///
  /// - Parameters:
  ///   - poolID: the pool's id.
  ///   - platform: the platform that delivered messages to the device.
  ///   - endpoint: the endpoint.
  ///   - roleARN: the ARN of the role that may remove it.
  public init(poolID: String, platform: PushPlatform, endpoint: String, roleARN: String) {
    self.poolID = poolID
    self.platform = platform
    self.endpoint = endpoint
    self.roleARN = roleARN
  }
}

extension PushEndpoint {
  /// Whether a text may be an endpoint: it is bounded, since it is stored, and can be logged and sent as it is.
  package static func allows(_ text: String) -> Bool {
    (1...2_048).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}

/// A device that is to get push messages.
///
/// Its description leaves out the token.
public struct PushRegistration: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The pool's id.
  public let poolID: String
  /// The identity's id.
  public let identityID: String
  /// The platform that delivers messages to the device.
  public let platform: PushPlatform
  /// The device's token of the platform.
  public let token: String
  /// The ARN of the pool's application for the platform.
  public let applicationARN: String
  /// The ARN of the role that may use the application.
  public let roleARN: String

  /// Makes a registration.
  ///
  /// - Parameters:
  ///   - poolID: the pool's id.
  ///   - identityID: the identity's id.
  ///   - platform: the platform that delivers messages to the device.
  ///   - token: the device's token of the platform.
  ///   - applicationARN: the ARN of the pool's application for the platform.
  ///   - roleARN: the ARN of the role that may use the application.
  public init(
    poolID: String, identityID: String, platform: PushPlatform, token: String, applicationARN: String,
    roleARN: String
  ) {
    self.poolID = poolID
    self.identityID = identityID
    self.platform = platform
    self.token = token
    self.applicationARN = applicationARN
    self.roleARN = roleARN
  }

  /// The text that logs may have.
  public var description: String { "a device of \(platform.rawValue.text) of \(identityID)" }
  /// The values that dumps may have.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// Why a device was not registered, or a message not sent. It contains no token.
@nonexhaustive public enum PushError: CodedError, Hashable {
  /// It cannot be done now. A later try may succeed.
  case unavailable(String)
  /// The pool's application or role cannot be used.
  case configurationRefused(String)
  /// The platform does not accept the device's token.
  case tokenRefused(String)
  /// The device's endpoint does not exist, or is disabled.
  case endpointRefused(String)

  /// The stable codes. Codes keep their meaning; new ones may be added.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case unavailable = "push_unavailable"
    case configurationRefused = "push_configuration_refused"
    case tokenRefused = "push_token_refused"
    case endpointRefused = "push_endpoint_refused"
  }

  /// The code and the sentence of the error.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .unavailable(let reason):
      (.unavailable, "the push service cannot be used now: \(reason.visible(upTo: 200))")
    case .configurationRefused(let rule):
      (.configurationRefused, "the pool's application or role cannot be used: \(rule.visible(upTo: 200))")
    case .tokenRefused(let rule):
      (.tokenRefused, "the device's token is not accepted: \(rule.visible(upTo: 200))")
    case .endpointRefused(let rule):
      (.endpointRefused, "the device's endpoint cannot be used: \(rule.visible(upTo: 200))")
    }
  }
}
