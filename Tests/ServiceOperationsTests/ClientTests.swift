internal import HTTPExchange
internal import ServiceOperations
internal import Testing

/// Calls over a transport.
@Suite struct ClientTests {
  /// Serves requests with the table of ``TableTests``.
  struct Loopback: HTTPTransport {
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      let query = request.url.query.map { "?" + $0 } ?? ""
      let response = await TableTests.serve(
        EncodedRequest(
          method: request.method, target: request.url.path + query,
          headers: request.headers.fields.map { (name: $0.name, value: $0.value) }, body: request.body))
      return TransportResponse(
        status: response.status, headers: TransportHeaders(response.headers), body: response.body)
    }
  }

  /// Answers with one response.
  struct Fixed: HTTPTransport {
    let status: Int
    let headers: TransportHeaders
    let body: String

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      TransportResponse(status: status, headers: headers, body: Array(body.utf8))
    }
  }

  private func client(
    _ service: ServiceDeclaration, _ status: Int, _ body: String, _ headers: TransportHeaders = [:]
  ) -> OperationClient {
    OperationClient(
      service, at: "http://127.0.0.1:1", Fixed(status: status, headers: headers, body: body))
  }

  /// A newer service has choices that this client does not know.
  @Test func unknownChoicesOfOptionalMembersAreAbsent() async throws {
    let answer = #"{"Choice":"PASSKEY","Text":"t"}"#
    let output = try await client(sampleUsers, 200, answer).call(Everything.self) { _ in }
    #expect(output.choice == nil)
    #expect(output.text == "t")
    let known = try await client(sampleUsers, 200, #"{"Choice":"PASSWORD_VERIFIER"}"#).call(Everything.self) {
      _ in
    }
    #expect(known.choice == .passwordVerifier)
  }

  @Test func callsReachHandlers() async throws {
    let pools = OperationClient(identityPools, at: "http://127.0.0.1:1", Loopback())
    let identity = try await pools.call(GetID.self) { $0.poolID = "eu-west-1:0" }
    #expect(identity.identityID == "eu-west-1:0-0")
    let records = OperationClient(sampleRecords, at: "http://127.0.0.1:1", Loopback())
    let input = UpdateRecords.Input {
      $0.poolID = "p:1"
      $0.identityID = "i:1"
      $0.dataset = "d"
      $0.token = "t"
    }
    #expect(try await records.call(UpdateRecords.self, input).keys == ["d", "me"])
    var conflicting = input
    conflicting.patches = [
      .init {
        $0.key = "k"; $0.count = 1
      }
    ]
    await #expect(
      throws: OperationCallError.refused(
        type: "ResourceConflictException", status: 409, message: "Current SyncCount for: KEY is: 2 not: 1")
    ) { _ = try await records.call(UpdateRecords.self, conflicting) }
    await #expect(throws: OperationCallError.self) {
      _ = try await pools.call(GetID.self) { $0.poolID = "no id" }
    }
  }

  /// Fields that a caller adds to a request, a signature for instance, are sent with it.
  @Test func requestsAreSentAsTheCallerSignedThem() async throws {
    struct Recorder: HTTPTransport {
      func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let name = request.headers["Authorization"] ?? "unsigned"
        let body = #"{"IdentityId":"eu-west-1:0\#(name == "AWS4" ? "1" : "2")"}"#
        return TransportResponse(status: 200, body: Array(body.utf8))
      }
    }
    let pools = OperationClient(identityPools, at: "http://127.0.0.1:1", Recorder())
    var request = pools.request(GetID.self, .init { $0.poolID = "eu-west-1:0" })
    #expect(try await pools.send(request, for: GetID.self).identityID == "eu-west-1:02")
    request.headers.append((name: "Authorization", value: "AWS4"))
    #expect(try await pools.send(request, for: GetID.self).identityID == "eu-west-1:01")
  }

  @Test func errorsOfOtherServicesAreRead() async throws {
    for (headers, body, type, message) in [
      (["x-amzn-ErrorType": "A:http://x/"], #"{"__type":"B","message":"m"}"#, "A", "m"),
      (
        [:], #"{"__type":"com.amazonaws.cognito#NotAuthorizedException","Message":"m"}"#,
        "NotAuthorizedException", "m"
      ),
      ([:], #"{"__type":"T"}"#, "T", ""), ([:], #"{"__type":""}"#, "", ""),
      ([:], #"{"message":"from a proxy"}"#, "", "from a proxy"),
    ] as [(TransportHeaders, String, String, String)] {
      await #expect(throws: OperationCallError.refused(type: type, status: 400, message: message)) {
        _ = try await client(identityPools, 400, body, headers).call(GetID.self) { $0.poolID = "a" }
      }
    }
    let xml =
      "<ErrorResponse><Error><Type>Sender</Type><Code>ExpiredTokenException</Code><Message>a &lt; b</Message>"
      + "</Error><RequestId>1</RequestId></ErrorResponse>"
    await #expect(
      throws: OperationCallError.refused(type: "ExpiredTokenException", status: 400, message: "a < b")
    ) { _ = try await client(securityTokenService, 400, xml).call(GetCallerIdentity.self, .init()) }
    for body in ["", "{}", "<html>", "[]"] {
      await #expect(
        throws: OperationCallError.responseMalformed(rule: "its status is 500, and it names no error")
      ) { _ = try await client(identityPools, 500, body).call(GetID.self, .init()) }
    }
  }

  /// They are not the service's: the call can have success later.
  @Test(arguments: [502, 503, 504]) func responsesOfGatewaysAreNoResponse(status: Int) async throws {
    let failure = OperationCallError.unreachable(.connection("a gateway responded with status \(status)"))
    for body in ["", "{}", "<html>", #"{"message":"Service Unavailable"}"#] {
      await #expect(throws: failure) {
        _ = try await client(identityPools, status, body).call(GetID.self, .init())
      }
    }
    // The service's own error has its name.
    await #expect(
      throws: OperationCallError.refused(type: "InternalErrorException", status: status, message: "")
    ) {
      _ = try await client(identityPools, status, #"{"__type":"InternalErrorException"}"#).call(
        GetID.self, .init())
    }
  }

  @Test func outputsAreValidated() async throws {
    for body in [#"{"IdentityId":5}"#, #"{"IdentityId":"no id"}"#, "[", "<a>"] {
      await #expect(throws: OperationCallError.self, "\(body)") {
        _ = try await client(identityPools, 200, body).call(GetID.self, .init())
      }
    }
    let output = try await client(identityPools, 200, #"{"IdentityId":null,"New":{}}"#).call(
      GetID.self, .init())
    #expect(output.identityID == nil)
  }

  @Test func credentialsAreRead() async throws {
    let body =
      #"{"IdentityId":"a:1","Credentials":{"AccessKeyId":"A","SecretKey":"s\u0041","SessionToken":"t","#
      + #""Expiration":1.4E9}}"#
    let output = try await client(identityPools, 200, body).call(GetCredentialsForIdentity.self, .init())
    let credentials = try #require(output.credentials)
    #expect(credentials.expiration?.seconds == 1_400_000_000)
    #expect(credentials.secretKey?.withBytes { $0.count } == 2)
  }
}
