internal import CognitoIdentityClient
internal import SigV4
internal import Testing

/// Malformed and error responses.
@Suite struct ServiceResponseTests {
  struct Fixed: HTTPTransport {
    let status: Int
    let body: String

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      TransportResponse(status: status, body: Array(body.utf8))
    }
  }

  @Test(arguments: IdentityProviderTests.answers)
  func identities(_ status: Int, _ body: String, _ expected: String) async throws {
    let calls = IdentityCalls(
      endpoint: try IdentityEndpoint(region: "us-east-1"), transport: Fixed(status: status, body: body))
    var found = ""
    do { _ = try await calls.identityID(poolID: "us-east-1:x") } catch { found = error.codeText }
    #expect(found == expected)
  }

  static let credentials: [(String, String)] = [
    (#"{"IdentityId":"us-east-1:1"}"#, "answer_malformed"),
    (#"{"IdentityId":"us-east-1:1","Credentials":{}}"#, "answer_malformed"),
    (
      #"{"IdentityId":"us-east-1:1","Credentials":{"AccessKeyId":"A","SecretKey":5,"SessionToken":"t","Expiration":1}}"#,
      "answer_malformed"
    ),
    (
      #"{"IdentityId":"us-east-1:1","Credentials":{"AccessKeyId":"A","SecretKey":"","SessionToken":"t","Expiration":1}}"#,
      "identity_credentials_unusable"
    ),
    (
      #"{"IdentityId":"us-east-1:1","Credentials":{"AccessKeyId":"A/B","SecretKey":"s","SessionToken":"t","Expiration":1}}"#,
      "identity_credentials_unusable"
    ),
    (
      #"{"IdentityId":"us-east-1:1","Credentials":{"AccessKeyId":"A","SecretKey":"s","SessionToken":"t","Expiration":"x"}}"#,
      "answer_malformed"
    ),
    (
      #"{"IdentityId":"us-east-1:1","Credentials":{"AccessKeyId":"A","SecretKey":"s","SessionToken":"t","Expiration":-1}}"#,
      ""
    ),
    (
      #"{"IdentityId":"us-east-1:1","Credentials":{"AccessKeyId":"A","SecretKey":"s","SessionToken":"t","Expiration":1.8E9}}"#,
      ""
    ),
  ]

  @Test(arguments: credentials)
  func whatCredentialsMustBe(_ body: String, _ expected: String) async throws {
    let calls = IdentityCalls(
      endpoint: try IdentityEndpoint(region: "us-east-1"), transport: Fixed(status: 200, body: body))
    var found = ""
    do { _ = try await calls.credentials(for: "us-east-1:i") } catch { found = error.codeText }
    #expect(found == expected)
  }

  /// Members of another type, out of bounds, absent or empty, of responses and of error responses.
  @Test(arguments: [
    (200, #"{"IdentityId":"us-east-1:1"}"#, "answer_malformed"),
    (200, #"{"IdentityId":"us-east-1:1","Token":""}"#, "answer_malformed"),
    (200, #"{"IdentityId":"us-east-1:1","Token":null}"#, "answer_malformed"),
    (200, #"{"IdentityId":"us-east-1:1","Token":{}}"#, "answer_malformed"),
    (200, #"{"IdentityId":"us-east-1:\u0000","Token":"t"}"#, "answer_malformed"),
    (200, #"{"IdentityId":"us-east-1:1","Token":"t","Token":"t"}"#, "answer_malformed"),
    (200, #"{"IdentityId":"us-east-1:1","Token":"t"} "#, ""), (204, "", "answer_malformed"),
    (302, #"{"IdentityId":"us-east-1:1","Token":"t"}"#, "answer_malformed"),
    (400, #"{"__type":5}"#, "answer_malformed"), (502, #"{"message":"no"}"#, "endpoint_unreachable"),
  ])
  func tokens(_ status: Int, _ body: String, _ expected: String) async throws {
    let calls = IdentityCalls(
      endpoint: try IdentityEndpoint(region: "us-east-1"), transport: Fixed(status: status, body: body))
    var found = ""
    do { _ = try await calls.openIDToken(for: "us-east-1:1") } catch { found = error.codeText }
    #expect(found == expected)
  }
}
