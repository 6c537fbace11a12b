internal import CognitoIdentityClient
internal import SigV4
internal import Synchronization
internal import Testing
internal import TokenSecurityCrypto

/// The requests that calls send.
@Suite struct RequestTests {
  /// Keeps the last request.
  final class Recorder: HTTPTransport {
    private let last = Mutex<TransportRequest?>(nil)

    var request: TransportRequest? { last.withLock { $0 } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      last.withLock { $0 = request }
      return TransportResponse(
        status: 200, body: Array(#"{"IdentityId":"us-east-1:1","Token":"t","Unknown":[]}"#.utf8))
    }
  }

  private let recorder = Recorder()

  private func calls() throws -> IdentityCalls {
    IdentityCalls(
      endpoint: try IdentityEndpoint(address: "https://id.example:8443", region: "eu-west-1"),
      transport: recorder)
  }

  private func body() -> String { String(decoding: recorder.request?.body ?? [], as: UTF8.self) }

  @Test func callsOfDevices() async throws {
    #expect(try await calls().identityID(poolID: "eu-west-1:0") == "us-east-1:1")
    let request = try #require(recorder.request)
    #expect(request.method == "POST" && request.url.description == "https://id.example:8443/")
    #expect(request.headers["X-Amz-Target"] == "AWSCognitoIdentityService.GetId")
    #expect(request.headers["Content-Type"] == "application/x-amz-json-1.1")
    #expect(request.headers["Authorization"] == nil)
    #expect(request.limits == TransportLimits(timeout: .seconds(10), responseSize: 262_144))
    // Guests have no logins, and not an empty map of them.
    #expect(body() == #"{"IdentityPoolId":"eu-west-1:0"}"#)
    _ = try await calls().openIDToken(for: "us-east-1:1", logins: ["b": "2", "a": "\"1"])
    #expect(body() == #"{"IdentityId":"us-east-1:1","Logins":{"a":"\"1","b":"2"}}"#)
    try await calls().unlinkIdentity("us-east-1:1", logins: ["a": "1"], removing: ["a"])
    #expect(body() == #"{"IdentityId":"us-east-1:1","Logins":{"a":"1"},"LoginsToRemove":["a"]}"#)
  }

  /// A developer's call has the signature of the request as it is sent.
  @Test func callsOfDevelopersAreSigned() async throws {
    let credentials = try Credentials(
      accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: SecretBytes(Array("secret".utf8).span))
    let now = Timestamp(seconds: 1_700_000_000)
    let token = try await calls().openIDTokenForDeveloperIdentity(
      poolID: "eu-west-1:0", logins: ["login.my.app": "jane"], duration: .seconds(60), with: credentials,
      at: now)
    #expect(token == IdentityCalls.IdentityToken(identityID: "us-east-1:1", token: "t"))
    let request = try #require(recorder.request)
    #expect(
      body() == #"{"IdentityPoolId":"eu-west-1:0","Logins":{"login.my.app":"jane"},"TokenDuration":60}"#)
    let head = RequestHead(
      "POST", "/",
      headers: [
        "Host": "id.example:8443", "Content-Type": "application/x-amz-json-1.1",
        "X-Amz-Target": "AWSCognitoIdentityService.GetOpenIdTokenForDeveloperIdentity",
      ])
    let signed = try Signer(service: "cognito-identity", region: "eu-west-1")
      .sign(head, body: .bytes(request.body), with: credentials, at: now).head
    #expect(request.headers.fields.map(\.name) == signed.headers.map(\.name))
    #expect(
      request.headers.fields.map(\.value) == signed.headers.map { String(decoding: $0.value, as: UTF8.self) })
    #expect(request.headers["Authorization"] != nil)
    await #expect(
      throws: IdentityClientError.configurationInvalid(rule: "the duration is not a whole number of seconds")
    ) {
      _ = try await calls().openIDTokenForDeveloperIdentity(
        poolID: "eu-west-1:0", logins: [:], duration: .milliseconds(1_500), with: credentials, at: now)
    }
  }
}
