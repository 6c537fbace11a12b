internal import CognitoSync
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityVectorFiles

/// The forms of messages, which clients read.
@Suite struct PushMessageTests {
  /// The message that a platform delivers from the service is the message in the file: Apple's as it is, of the others
  /// the contents of `data`.
  @Test(arguments: PushPlatform.allCases)
  func clientsReadWhatTheServiceSends(_ platform: PushPlatform) throws {
    let name = ExactString("\(platform.rawValue.text): higher count")
    let found = try VectorFile.load("sync-messages").cases.first { ExactString($0.id) == name }
    let payload = try #require(found?.input["payload"]?.string)
    let message = PushMessage(
      poolID: "us-east-1:11111111-1111-4111-8111-111111111111",
      identityID: "us-east-1:22222222-2222-4222-8222-222222222222", datasetName: "settings", syncCount: 7,
      deviceID: "device", platform: platform, endpoint: "endpoint", applicationARN: "application",
      roleARN: "role")
    let isApple = platform == .apns || platform == .apnsSandbox
    let whole = message.platformMessage
    let data = try #require(whole["data"]?.object)
    let delivered = isApple ? whole : data
    #expect(try JSONValue(parsing: payload) == .object(delivered))
  }

  @Test(arguments: [
    "arn:aws:sns:us-east-1:123456789012:app/GCM/app", "arn:aws-cn:sns:cn-north-1:1:app/ADM/a",
    "arn:aws:sns:us-east-1:1:app/APNS/a", "arn:aws:sns:us-east-1:1:app/APNS_SANDBOX/a",
  ])
  func applicationsHaveAPlatform(_ arn: String) {
    #expect(PushApplication.platform(ofARN: arn) != nil)
    #expect(PushApplication.region(ofARN: arn)?.isEmpty == false)
  }

  @Test(arguments: [
    "", "GCM", "arn:aws:sns:us-east-1:1:app", "arn:aws:sns:us-east-1:1:app/GCM",
    "arn:aws:sns:us-east-1:1:app/gcm/a", "arn:aws:sns:us-east-1:1:app/BAIDU/a",
    "arn:aws:sns:us-east-1:1:app/GCM/a/b", "arn:aws:sns:us-east-1:1:endpoint/GCM/a",
    "arn:aws:sqs:us-east-1:1:app/GCM/a", "a:aws:sns:us-east-1:1:app/GCM/a",
  ])
  func otherTextsHaveNone(_ arn: String) {
    #expect(PushApplication.platform(ofARN: arn) == nil)
  }

  /// Descriptions are for logs.
  @Test func descriptionsHaveNoToken() {
    let device = PushRegistration(
      poolID: "pool", identityID: "identity", platform: .gcm, token: "0123456789", applicationARN: "app",
      roleARN: "role")
    var dumped = ""
    dump(device, to: &dumped)
    #expect(!"\(device) \(String(reflecting: device)) \(dumped)".contains("0123456789"))
  }
}
