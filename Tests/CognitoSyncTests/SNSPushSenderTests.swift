internal import CognitoIdentity
internal import CognitoSync
internal import HTTPExchange
internal import SigV4
internal import Synchronization
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The requests to SNS and STS, and what their answers mean.
@Suite struct SNSPushSenderTests {
  private static let endpoint = "arn:aws:sns:eu-west-1:123456789012:endpoint/GCM/app/5e3e9847"
  private static let application = "arn:aws:sns:eu-west-1:123456789012:app/GCM/app"
  private static let pool = "eu-west-1:12345678-abcd-abcd-abcd-123456790abc"
  private static let identity = "eu-west-1:00000000-0000-4000-8000-000000000001"

  private func sender(_ amazon: FakeAmazon, endpoint: String? = nil) throws -> SNSPushSender {
    let secret = Array("operator's secret".utf8)
    let credentials = try Credentials(
      accessKeyID: "AKIAOPERATOR", secretAccessKey: SecretBytes(secret.span))
    return try SNSPushSender(
      assumingRolesWith: StaticCredentials(credentials), region: "eu-central-1",
      endpoint: try endpoint.map { try HTTPURL($0) }, transport: amazon)
  }

  private let device = PushRegistration(
    poolID: Self.pool, identityID: Self.identity, platform: .gcm, token: "token +&=1",
    applicationARN: Self.application, roleARN: "arn:aws:iam::123456789012:role/push")

  private func message(_ platform: PushPlatform) -> PushMessage {
    PushMessage(
      poolID: Self.pool, identityID: Self.identity, datasetName: "profile", syncCount: 7, deviceID: "device",
      platform: platform, endpoint: Self.endpoint, applicationARN: Self.application,
      roleARN: "arn:aws:iam::123456789012:role/push")
  }

  @Test func aDeviceGetsAnEndpoint() async throws {
    let amazon = FakeAmazon()
    #expect(try await sender(amazon).register(device) == Self.endpoint)
    let calls = amazon.calls
    #expect(calls.map(\.action) == ["AssumeRole", "CreatePlatformEndpoint", "SetEndpointAttributes"])
    #expect(calls[0].url == "https://sts.eu-central-1.amazonaws.com/")
    #expect(calls[0].fields["RoleArn"] == "arn:aws:iam::123456789012:role/push")
    #expect(calls[0].fields["RoleSessionName"] == "cognito-sync")
    // A role that names the pool cannot be used for another one.
    #expect(calls[0].fields["ExternalId"] == Self.pool)
    #expect(calls[0].authorization.contains("Credential=AKIAOPERATOR/"))
    #expect(calls[1].url == "https://sns.eu-west-1.amazonaws.com/")
    #expect(calls[1].fields["Version"] == "2010-03-31")
    #expect(calls[1].fields["PlatformApplicationArn"] == Self.application)
    #expect(calls[1].fields["Token"] == "token +&=1")
    #expect(calls[1].authorization.contains("Credential=ASIAROLE"))
    #expect(calls[1].authorization.contains("/eu-west-1/sns/aws4_request"))
    #expect(calls[1].authorization.contains("x-amz-security-token"))
    #expect(calls[2].fields["EndpointArn"] == Self.endpoint)
    #expect(calls[2].fields["Attributes.entry.1.key"] == "Enabled")
    #expect(calls[2].fields["Attributes.entry.1.value"] == "true")
    #expect(calls[2].fields["Attributes.entry.2.key"] == "Token")
    #expect(calls[2].fields["Attributes.entry.2.value"] == "token +&=1")
  }

  /// A role is assumed once for many messages.
  @Test func credentialsAreKept() async throws {
    let amazon = FakeAmazon()
    let sender = try sender(amazon)
    for _ in 0..<3 { try await sender.send(message(.gcm)) }
    #expect(amazon.calls.map(\.action) == ["AssumeRole", "Publish", "Publish", "Publish"])
    amazon.answer(
      "Publish", .error("ExpiredToken", "The security token included in the request is expired", 403))
    let error = await #expect(throws: PushError.self) { try await sender.send(message(.gcm)) }
    #expect(error?.code == .unavailable)
    amazon.answer("Publish", .published)
    try await sender.send(message(.gcm))
    #expect(amazon.calls.suffix(3).map(\.action) == ["Publish", "AssumeRole", "Publish"])
  }

  /// The texts that SNS gets for each platform.
  @Test(arguments: [PushPlatform.gcm, .adm, .apns, .apnsSandbox])
  func eachPlatformHasItsForm(_ platform: PushPlatform) async throws {
    let isApple = platform == .apns || platform == .apnsSandbox
    let data = """
      "data":{"source":"cognito-sync","identityPoolId":"\(Self.pool)","identityId":"\(Self.identity)",\
      "datasetName":"profile","syncCount":"7"}
      """
    let text = isApple ? #"{"aps":{"content-available":1},"# + data + "}" : "{" + data + "}"
    let name = platform.rawValue.text
    let amazon = FakeAmazon()
    try await sender(amazon).send(message(platform))
    let call = try #require(amazon.calls.last)
    #expect(call.fields["TargetArn"] == Self.endpoint && call.fields["MessageStructure"] == "json")
    let object = try #require(JSONValue(parsing: call.fields["Message"] ?? "").object)
    #expect(object.names == ["default", name])
    #expect(object[name]?.string == text)
    let types = (1...2).map { number in
      call.fields[ExactString("MessageAttributes.entry.\(number).Value.StringValue")]
    }
    let expected: [String?] = isApple ? ["background", "5"] : [nil, nil]
    #expect(types == expected)
  }

  /// SNS says so where a token has an endpoint with other attributes, and names it.
  @Test func aKnownTokenKeepsItsEndpoint() async throws {
    let amazon = FakeAmazon()
    let known = "arn:aws:sns:eu-west-1:123456789012:endpoint/GCM/app/known"
    amazon.answer(
      "CreatePlatformEndpoint",
      .error(
        "InvalidParameter",
        "Invalid parameter: Token Reason: Endpoint \(known) already exists with the same Token, but different attributes.",
        400))
    #expect(try await sender(amazon).register(device) == known)
    #expect(amazon.calls.last?.fields["EndpointArn"] == known)
  }

  /// A message that repeats a token must not let the device choose an endpoint.
  @Test(arguments: [
    "Invalid parameter: Token Reason: 'Endpoint ARN already exists with the same Token' is too long",
    "Invalid parameter: Endpoint ARN already exists with the same Token",
    "Endpoint ARN already exists with the same Token, but different attributes.",
    "Invalid parameter: Token Reason: Endpoint ARN is none",
    "Invalid parameter: Token Reason: Endpoint x ARN already exists with the same Token",
  ])
  func aTokenThatNamesAnEndpoint(_ text: String) async throws {
    let amazon = FakeAmazon()
    let message = text.replacing("ARN", with: "arn:aws:sns:eu-west-1:123456789012:endpoint/GCM/app/other")
    amazon.answer("CreatePlatformEndpoint", .error("InvalidParameter", message, 400))
    let sender = try sender(amazon)
    let error = await #expect(throws: PushError.self) { _ = try await sender.register(device) }
    #expect(error?.code == .tokenRefused)
    #expect(amazon.calls.last?.action == "CreatePlatformEndpoint")
  }

  @Test(arguments: [
    ("InvalidParameter", "Invalid parameter: Token", 400, PushError.Code.tokenRefused),
    ("NotFound", "PlatformApplication does not exist", 404, PushError.Code.configurationRefused),
    (
      "ValidationError", "Value 'token +&amp;=1' at 'token' is not valid", 400,
      PushError.Code.configurationRefused
    ),
    ("AuthorizationError", "not authorized", 403, PushError.Code.configurationRefused),
    ("PlatformApplicationDisabled", "disabled", 400, PushError.Code.configurationRefused),
    ("Throttled", "slow down", 429, PushError.Code.unavailable),
    ("InternalError", "oh", 500, PushError.Code.unavailable),
    ("InternalError", "the token 'token +&amp;=1' broke it", 500, PushError.Code.unavailable),
  ])
  func refusalsOfDevices(_ type: String, _ text: String, _ status: Int, _ code: PushError.Code) async throws {
    let amazon = FakeAmazon()
    amazon.answer("CreatePlatformEndpoint", .error(type, text, status))
    let sender = try sender(amazon)
    let error = await #expect(throws: PushError.self) { _ = try await sender.register(device) }
    #expect(error?.code == code)
    // The logged text does not have the token.
    #expect(error?.description.contains("token +&=1") == false)
  }

  /// Another node removes the endpoint between the two calls: it is made once more.
  @Test func anEndpointThatIsRemovedMeanwhileIsMadeAgain() async throws {
    let amazon = FakeAmazon()
    amazon.answer("SetEndpointAttributes", .error("NotFound", "Endpoint does not exist", 404))
    let sender = try sender(amazon)
    let error = await #expect(throws: PushError.self) { _ = try await sender.register(device) }
    #expect(error?.code == .unavailable)
    let made = ["CreatePlatformEndpoint", "SetEndpointAttributes"]
    #expect(amazon.calls.map(\.action) == ["AssumeRole"] + made + made)
  }

  @Test(arguments: [
    ("EndpointDisabled", 400, PushError.Code.endpointRefused),
    ("NotFound", 404, PushError.Code.endpointRefused),
    ("AuthorizationError", 403, PushError.Code.configurationRefused),
    ("InvalidParameter", 400, PushError.Code.configurationRefused),
    ("Throttling", 400, PushError.Code.unavailable), ("ServiceUnavailable", 503, PushError.Code.unavailable),
  ])
  func refusalsOfMessages(_ type: String, _ status: Int, _ code: PushError.Code) async throws {
    let amazon = FakeAmazon()
    amazon.answer("Publish", .error(type, "text", status))
    let sender = try sender(amazon)
    let error = await #expect(throws: PushError.self) { try await sender.send(message(.gcm)) }
    #expect(error?.code == code)
  }

  @Test func anEndpointIsDeleted() async throws {
    let amazon = FakeAmazon()
    let sender = try sender(amazon)
    func endpoint(_ arn: String) -> PushEndpoint {
      PushEndpoint(
        poolID: Self.pool, platform: .gcm, endpoint: arn, roleARN: "arn:aws:iam::123456789012:role/push")
    }
    try await sender.remove(endpoint(Self.endpoint))
    #expect(amazon.calls.map(\.action) == ["AssumeRole", "DeleteEndpoint"])
    #expect(amazon.calls.last?.fields["EndpointArn"] == Self.endpoint)
    #expect(amazon.calls.last?.authorization.contains("Credential=ASIAROLE") == true)
    for (type, status, code) in [
      ("NotFound", 404, .endpointRefused), ("AuthorizationError", 403, .configurationRefused),
      ("InternalError", 500, .unavailable),
    ] as [(String, Int, PushError.Code)] {
      amazon.answer("DeleteEndpoint", .error(type, "text", status))
      let error = await #expect(throws: PushError.self) { try await sender.remove(endpoint(Self.endpoint)) }
      #expect(error?.code == code)
    }
    let error = await #expect(throws: PushError.self) { try await sender.remove(endpoint("device/1")) }
    #expect(error?.code == .endpointRefused && amazon.calls.count == 5)
  }

  @Test(arguments: [(403, PushError.Code.configurationRefused), (500, PushError.Code.unavailable)])
  func aRoleThatCannotBeAssumed(_ status: Int, _ code: PushError.Code) async throws {
    let amazon = FakeAmazon()
    amazon.answer("AssumeRole", .error("AccessDenied", "no", status))
    let sender = try sender(amazon)
    let error = await #expect(throws: PushError.self) { try await sender.send(message(.gcm)) }
    #expect(error?.code == code)
    #expect(amazon.calls.map(\.action) == ["AssumeRole"])
  }

  @Test(arguments: ["", "endpoint", "arn:aws:sqs:eu-west-1:1:x", "arn:aws:sns:eu-west-1:1:a b"])
  func anEndpointThatIsNoneIsRefused(_ text: String) async throws {
    let amazon = FakeAmazon()
    amazon.answer("CreatePlatformEndpoint", .endpoint(text))
    let sender = try sender(amazon)
    let error = await #expect(throws: PushError.self) { _ = try await sender.register(device) }
    #expect(error?.code == .unavailable)
  }

  @Test func anotherAddressIsUsedAndSigned() async throws {
    let amazon = FakeAmazon()
    try await sender(amazon, endpoint: "http://127.0.0.1:5000").send(message(.gcm))
    let call = try #require(amazon.calls.last)
    #expect(call.url == "http://127.0.0.1:5000/" && call.host == "127.0.0.1:5000")
    #expect(call.authorization.contains("/eu-west-1/sns/aws4_request"))
  }

  /// The service of identity pools issues the credentials itself, where the role admits it.
  @Test func rolesOfTheService() async throws {
    let f = try await PushFixture()
    let amazon = FakeAmazon()
    let sender = SNSPushSender(
      rolesOf: f.identities, endpoint: try HTTPURL("http://127.0.0.1:5000"), transport: amazon)
    func message(_ role: String) -> PushMessage {
      PushMessage(
        poolID: f.identity.poolID, identityID: f.identity.identityID, datasetName: "profile", syncCount: 7,
        deviceID: "device", platform: .gcm, endpoint: Self.endpoint, applicationARN: Self.application,
        roleARN: role)
    }
    try await sender.send(message(PushFixture.role))
    let call = try #require(amazon.calls.last)
    #expect(amazon.calls.map(\.action) == ["Publish"])
    #expect(call.authorization.contains("Credential=ASIA"))
    let opened = try f.identities.sessions.open(
      call.token, of: String(call.authorization.split(separator: "Credential=")[1].prefix(20)))
    #expect(opened.session?.roleARN == PushFixture.role && opened.session?.identityID == "")
    let error = await #expect(throws: PushError.self) {
      try await sender.send(message("arn:aws:iam::123456789012:role/none"))
    }
    #expect(error?.code == .configurationRefused)
  }
}

/// STS and SNS, whose answers a test sets.
private final class FakeAmazon: HTTPTransport {
  struct Call: Sendable {
    let url: String
    let host: String
    let authorization: String
    let token: String
    let fields: [ExactString: String]
    var action: String { fields["Action"] ?? "" }
  }

  enum Answer: Sendable {
    case endpoint(String)
    case published
    case error(String, String, Int)
  }

  private let state = Mutex((calls: [Call](), answers: [ExactString: Answer]()))

  var calls: [Call] { state.withLock { $0.calls } }

  func answer(_ action: ExactString, _ answer: Answer) { state.withLock { $0.answers[action] = answer } }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    var fields: [ExactString: String] = [:]
    for part in String(decoding: request.body, as: UTF8.self).split(separator: "&") {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let decoded = sides.map { String(decoding: PercentEncoding.decode(Array($0.utf8).span), as: UTF8.self) }
      fields[ExactString(decoded[0])] = decoded[1]
    }
    let call = Call(
      url: request.url.description, host: request.headers["Host"] ?? "",
      authorization: request.headers["Authorization"] ?? "",
      token: request.headers["X-Amz-Security-Token"] ?? "", fields: fields)
    let answer = state.withLock { state in
      state.calls.append(call)
      return state.answers[ExactString(call.action)]
    }
    switch answer {
    case .error(let type, let text, let status)?:
      return response(
        "<ErrorResponse><Error><Type>Sender</Type><Code>\(type)</Code><Message>\(text)</Message></Error><RequestId>1</RequestId></ErrorResponse>",
        status)
    case .endpoint(let text)?: return created(text)
    case .published?, nil:
      switch call.action {
      case "AssumeRole":
        return response(
          "<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>ASIAROLE</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>token</SessionToken><Expiration>2100-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>"
        )
      case "CreatePlatformEndpoint":
        return created("arn:aws:sns:eu-west-1:123456789012:endpoint/GCM/app/5e3e9847")
      case "Publish":
        return response(
          "<PublishResponse><PublishResult><MessageId>1</MessageId></PublishResult></PublishResponse>")
      default:
        return response(
          "<\(call.action)Response><ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></\(call.action)Response>"
        )
      }
    }
  }

  private func created(_ arn: String) -> TransportResponse {
    response(
      "<CreatePlatformEndpointResponse><CreatePlatformEndpointResult><EndpointArn>\(arn)</EndpointArn></CreatePlatformEndpointResult></CreatePlatformEndpointResponse>"
    )
  }

  private func response(_ xml: String, _ status: Int = 200) -> TransportResponse {
    TransportResponse(status: status, body: Array(xml.utf8))
  }
}
