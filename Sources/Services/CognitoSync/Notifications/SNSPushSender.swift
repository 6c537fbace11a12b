public import CognitoIdentity
public import HTTPExchange
internal import ServiceOperations
public import SigV4
internal import TokenSecurityBase

/// Sends push messages with AWS's Simple Notification Service (SNS).
///
///     let sender = try SNSPushSender(
///       operatorProfile: "push", region: "eu-west-1", transport: transport)
///
/// A device's token becomes an endpoint of the pool's platform application. Calls are signed with credentials of
/// the pool's role.
public struct SNSPushSender: PushSender {
  private let calls: NotificationCalls

  /// Makes a sender that assumes roles at AWS STS.
  ///
  /// The role must also allow the operator to assume it; the pool's id is sent as the external id.
  ///
  /// - Parameters:
  ///   - source: the operator's credentials.
  ///   - region: the region of STS.
  ///   - tokenService: the address to use instead of AWS's STS of the region.
  ///   - endpoint: the address to use instead of AWS's SNS of an application's region.
  ///   - transport: the HTTP client.
  /// - Throws: `regionInvalid`.
  public init(
    assumingRolesWith source: any CredentialsSource, region: String, tokenService: HTTPURL? = nil,
    endpoint: HTTPURL? = nil, transport: any HTTPTransport
  ) throws(CredentialsError) {
    // One source for all roles: a profile's program is not started for each.
    let source = RefreshingCredentials(source)
    // Checks the region.
    _ = try RoleRequest(roleARN: "", region: region)
    let roles = RoleSessions { role throws(CredentialsError) in
      AssumedRoleCredentials(
        source: source,
        request: try RoleRequest(
          roleARN: role.arn, sessionName: IdentityPoolService.publishingSession, region: region,
          externalID: role.poolID, endpoint: tokenService),
        transport: transport)
    }
    calls = NotificationCalls(roles, endpoint: endpoint, transport)
  }

  /// Makes a sender that assumes roles at AWS STS with the operator's credentials: of the environment, else of a web
  /// identity in the environment, else of AWS's shared files.
  ///
  /// - Parameters:
  ///   - profile: the profile of the shared files. Nil: `AWS_PROFILE`, or `default`.
  ///   - region: the region of STS.
  ///   - tokenService: the address to use instead of AWS's STS of the region.
  ///   - endpoint: the address to use instead of AWS's SNS of an application's region.
  ///   - transport: the HTTP client.
  /// - Throws: `regionInvalid`.
  public init(
    operatorProfile profile: String?, region: String, tokenService: HTTPURL? = nil,
    endpoint: HTTPURL? = nil, transport: any HTTPTransport
  ) throws(CredentialsError) {
    let chain = CredentialsChain([
      EnvironmentCredentials(), EnvironmentWebIdentity(transport: transport, endpoint: tokenService),
      ProfileCredentials(profile: profile, transport: transport, endpoint: tokenService),
    ])
    try self.init(
      assumingRolesWith: chain, region: region, tokenService: tokenService, endpoint: endpoint,
      transport: transport)
  }

  /// Makes a sender for a service that is like SNS, with credentials that the service of identity pools issues.
  ///
  /// - Parameters:
  ///   - service: the service with the roles.
  ///   - endpoint: the address of the service that is like SNS.
  ///   - transport: the HTTP client.
  public init(rolesOf service: IdentityPoolService, endpoint: HTTPURL, transport: any HTTPTransport) {
    calls = NotificationCalls(
      RoleSessions { role throws(CredentialsError) in PoolRoleCredentials(service: service, role: role) },
      endpoint: endpoint, transport)
  }

  /// Makes an endpoint of the pool's application, or enables the one that the token has.
  ///
  /// - Parameter device: the device.
  /// - Returns: the endpoint's ARN.
  /// - Throws: `unavailable`, `configurationRefused`, `tokenRefused`.
  public func register(_ device: PushRegistration) async throws(PushError) -> String {
    guard let region = PushApplication.region(ofARN: device.applicationARN) else {
      throw .configurationRefused("\(device.applicationARN.quoted) is not an application of SNS")
    }
    let role = PublishingRole(arn: device.roleARN, poolID: device.poolID)
    // Another node may remove the endpoint between the two calls. Then it is made once more.
    for _ in 0..<2 {
      let endpoint = try await made(for: device, in: region, as: role)
      // SNS disables an endpoint whose token was refused once. The application has the token again.
      do throws(NotificationCalls.Failure) {
        _ = try await calls.call(SetEndpointAttributes.self, in: region, as: role) {
          $0.endpointARN = endpoint
          $0.attributes = ["Enabled": "true", "Token": device.token]
        }
        return endpoint
      } catch {
        switch error {
        case .other(let error): throw error
        case .refused(let type, _) where Self.missingErrors.contains(type): continue
        case .refused(let type, let message): throw Self.registering(type, message, device.token)
        }
      }
    }
    throw .unavailable("the endpoint is being removed")
  }

  /// The endpoint of a device: a new one, or the one that its token has.
  private func made(
    for device: PushRegistration, in region: String, as role: PublishingRole
  ) async throws(PushError) -> String {
    let endpoint: String
    do throws(NotificationCalls.Failure) {
      endpoint = try await calls.call(CreatePlatformEndpoint.self, in: region, as: role) {
        $0.applicationARN = device.applicationARN
        $0.token = device.token
      }.endpointARN
    } catch {
      switch error {
      case .other(let error): throw error
      case .refused(let type, let message):
        guard let known = Self.existing(type, message) else {
          throw Self.registering(type, message, device.token)
        }
        endpoint = known
      }
    }
    guard PushApplication.region(ofARN: endpoint) != nil, PushEndpoint.allows(endpoint) else {
      throw .unavailable("the endpoint in the response is not an ARN of SNS")
    }
    return endpoint
  }

  /// Publishes a message to the device's endpoint.
  ///
  /// - Parameter message: the message.
  /// - Throws: `unavailable`, `configurationRefused`, `endpointRefused`.
  public func send(_ message: PushMessage) async throws(PushError) {
    guard let region = PushApplication.region(ofARN: message.endpoint) else {
      throw .endpointRefused("it is not one of SNS")
    }
    do throws(NotificationCalls.Failure) {
      _ = try await calls.call(
        Publish.self, in: region, as: PublishingRole(arn: message.roleARN, poolID: message.poolID),
        adding: message.platform.isApple ? Self.background : ""
      ) {
        $0.targetARN = message.endpoint
        $0.message = message.notification
      }
    } catch {
      throw Self.usingEndpoint(error)
    }
  }

  /// Removes an endpoint.
  ///
  /// - Parameter endpoint: the endpoint of a device that is gone.
  /// - Throws: `unavailable`, `configurationRefused`, `endpointRefused`.
  public func remove(_ endpoint: PushEndpoint) async throws(PushError) {
    guard let region = PushApplication.region(ofARN: endpoint.endpoint) else {
      throw .endpointRefused("it is not one of SNS")
    }
    do throws(NotificationCalls.Failure) {
      _ = try await calls.call(
        DeleteEndpoint.self, in: region, as: PublishingRole(arn: endpoint.roleARN, poolID: endpoint.poolID)
      ) { $0.endpointARN = endpoint.endpoint }
    } catch {
      throw Self.usingEndpoint(error)
    }
  }

  /// Apple's header fields of a message that shows nothing, as members of the form.
  private static let background =
    "&MessageAttributes.entry.1.Name=AWS.SNS.MOBILE.APNS.PUSH_TYPE"
    + "&MessageAttributes.entry.1.Value.DataType=String"
    + "&MessageAttributes.entry.1.Value.StringValue=background"
    + "&MessageAttributes.entry.2.Name=AWS.SNS.MOBILE.APNS.PRIORITY"
    + "&MessageAttributes.entry.2.Value.DataType=String"
    + "&MessageAttributes.entry.2.Value.StringValue=5"

  private static let missingErrors = ["NotFound", "NotFoundException"]
  private static let endpointErrors = ["EndpointDisabled", "EndpointDisabledException"] + missingErrors
  private static let parameterErrors = ["InvalidParameter", "InvalidParameterException"]

  /// The endpoint that a token has already, of SNS's message: `… Reason: Endpoint ARN already exists with the same
  /// Token, but different attributes.` The whole beginning is compared: a message can repeat the token, and with an
  /// endpoint in it a device would take over that of another one.
  package static func existing(_ type: String, _ message: String) -> String? {
    guard parameterErrors.contains(type),
      let rest = message.rest(after: "Invalid parameter: Token Reason: Endpoint "),
      let end = rest.utf8.firstRange(of: " already exists with the same Token".utf8)
    else { return nil }
    let endpoint = String(Substring(rest.utf8[..<end.lowerBound]))
    return endpoint.hasPrefix("arn:") ? endpoint : nil
  }

  private static func usingEndpoint(_ error: NotificationCalls.Failure) -> PushError {
    switch error {
    case .other(let error): return error
    case .refused(let type, let text):
      let reason = "\(type): \(text)"
      return endpointErrors.contains(type) ? .endpointRefused(reason) : .configurationRefused(reason)
    }
  }

  private static func registering(_ type: String, _ message: String, _ token: String) -> PushError {
    // The answer of SNS about a token may repeat the token.
    if parameterErrors.contains(type) { return .tokenRefused("SNS refuses it with \(type)") }
    let isRepeated = message.utf8.firstRange(of: token.utf8) != nil
    return .configurationRefused(isRepeated ? type : "\(type): \(message)")
  }
}

extension PushPlatform {
  fileprivate var isApple: Bool { self == .apns || self == .apnsSandbox }
}

extension PushMessage {
  /// The text for SNS: a text in the platform's form, and one for any other platform.
  package var notification: String {
    func text(_ object: JSONObject) -> String { String(decoding: JSONWriter.write(object), as: UTF8.self) }
    var texts = JSONObject()
    texts["default"] = .string(text(data))
    texts[platform.rawValue.text] = .string(text(platformMessage))
    return text(texts)
  }
}
