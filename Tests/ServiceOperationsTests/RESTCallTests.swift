internal import HTTPExchange
internal import ServiceOperations
internal import Synchronization
internal import Testing

/// Calls of REST-JSON from a client to a service.
@Suite struct RESTCallTests {
  /// Serves the sample operations, and keeps the targets of requests.
  final class Service: HTTPTransport {
    private let seen = Mutex<[String]>([])

    var targets: [String] { seen.withLock { $0 } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      let target = request.url.path + (request.url.query.map { "?" + $0 } ?? "")
      seen.withLock { $0.append("\(request.method) \(target)") }
      let response = await respond(
        OperationRequestHead(
          method: request.method, target: target, headers: request.headers.fields.map { ($0.name, $0.value) }),
        request.body)
      return TransportResponse(
        status: response.status, headers: TransportHeaders(response.headers), body: response.body)
    }

    private func respond(_ head: OperationRequestHead, _ body: [UInt8]) async -> EncodedResponse {
      var table = OperationTable<Void, TableTests.SampleError>()
      table.on(DescribeDataset.self) { (input, _) in .init { $0.name = input.name } }
      table.on(SetConfiguration.self) { (_, _) throws(TableTests.SampleError) in throw .conflict }
      do throws(TableTests.SampleError) {
        let route: OperationRoute?
        do throws(OperationError) { route = try RESTBindingTests.router.route(head) } catch {
          throw TableTests.SampleError(error)
        }
        guard let route else { throw .conflict }
        return try await table.call(route, body).respond((), requestID: "r").response
      } catch {
        return EncodedResponse(error, .rest, requestID: "r")
      }
    }
  }

  private let service = Service()
  private var client: OperationClient { OperationClient(sampleDatasets, at: "http://127.0.0.1:1", service) }

  @Test(arguments: [
    "d", "a b", "a/b", "/", "a%2Fb", "%", "%2e", "é", "東😀", "a?b", "a#b", "a&b=c", "a+b", "..a", "...", ".a",
    "a;b", "\\", "{x}", "a\0b", "\n", "\"<>^`|", "~-._", "http://x/",
  ])
  func labelsArrive(_ name: String) async throws {
    let output = try await client.call(DescribeDataset.self) {
      $0.poolID = "p"
      $0.identityID = "eu-west-1:1"
      $0.name = name
    }
    #expect(output.name == name)
    let target = try #require(service.targets.last)
    #expect(target.utf8.count { $0 == UInt8(ascii: "/") } == 6 && target.utf8.allSatisfy { $0 < 0x80 })
  }

  /// These would be removed on the way: the request would name another resource.
  @Test(arguments: ["", ".", ".."]) func labelsThatCannotBeSent(_ name: String) async {
    for identity in [name, "i"] {
      await #expect(
        throws: OperationCallError.unreachable(
          .addressInvalid(
            "http://127.0.0.1:1/identitypools/p/identities/\(identity)/datasets/\(name)",
            rule: "a label of its path is empty or a dot segment"))
      ) {
        _ = try await client.call(DeleteDataset.self) {
          $0.poolID = "p"
          $0.identityID = identity
          $0.name = name
        }
      }
    }
    #expect(service.targets.isEmpty)
  }

  @Test func errorsHaveTypeAndStatus() async {
    await #expect(
      throws: OperationCallError.refused(
        type: "ResourceConflictException", status: 409, message: "Current SyncCount for: KEY is: 2 not: 1")
    ) { _ = try await client.call(SetConfiguration.self) { $0.poolID = "p" } }
    await #expect(
      throws: OperationCallError.refused(
        type: "NotImplementedException", status: 400, message: "the operation ListDatasets is not implemented"
      )
    ) {
      _ = try await client.call(ListDatasets.self) {
        $0.poolID = "p"; $0.identityID = "i"
      }
    }
    await #expect(
      throws: OperationCallError.refused(
        type: "UnknownOperationException", status: 404, message: #"there is no operation "GET /datasets""#)
    ) {
      _ = try await client.send(
        EncodedRequest(method: "GET", target: "/datasets", headers: [], body: []), for: ListDatasets.self)
    }
    await #expect(
      throws: OperationCallError.refused(
        type: "InvalidParameterException", status: 400,
        message:
          "1 validation error detected: Value 'i i' at 'identityId' failed to satisfy constraint: Member"
          + #" must satisfy regular expression pattern: [\w:-]+"#)
    ) {
      _ = try await client.call(DescribeDataset.self) {
        $0.poolID = "p"
        $0.identityID = "i i"
        $0.name = "d"
      }
    }
  }

  /// Services name the error in a header field, with an address after it, or in the body.
  @Test(
    arguments: [
      ("ResourceNotFoundException", "", "ResourceNotFoundException", ""),
      (
        "ResourceNotFoundException:http://internal.amazon.com/coral/", #"{"message":"m"}"#,
        "ResourceNotFoundException", "m"
      ),
      ("A", #"{"__type":"B","code":"C","Message":"m"}"#, "A", "m"), ("", #"{"code":"C"}"#, "", ""),
      (nil, #"{"code":"C"}"#, "C", ""), (nil, #"{"__type":"ns#B","code":"C"}"#, "B", ""),
    ] as [(String?, String, String, String)])
  func errorsOfOtherServices(_ field: String?, _ body: String, _ type: String, _ message: String) async {
    let headers = field.map { ["x-amzn-errortype": $0] as TransportHeaders } ?? [:]
    let client = OperationClient(
      sampleDatasets, at: "http://127.0.0.1:1", ClientTests.Fixed(status: 404, headers: headers, body: body))
    await #expect(throws: OperationCallError.refused(type: type, status: 404, message: message)) {
      _ = try await client.call(ListDatasets.self) {
        $0.poolID = "p"; $0.identityID = "i"
      }
    }
  }
}
