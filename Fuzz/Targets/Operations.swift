import ServiceOperations

/// Requests and responses of declared operations: the first byte selects the operation, the rest is the body. A body
/// that is read is written and read again.
private let services = [identityPools, securityTokenService, userPools, dataSets, signingKeyService, records]
private let operations = services.flatMap { service in service.operations.map { (service, $0) } }
private let router = OperationRouter(
  identityPools, securityTokenService, userPools, dataSets, signingKeyService, records)

/// REST-JSON, with members in path, query, header fields and body.
private let records = ServiceDeclaration("Records", signingName: "cognito-sync", .rest, [Records.self])

private enum Records: ServiceOperation {
  static let declaration = OperationDeclaration(
    "Records", .identity(.identity("IdentityId")), "Changes records.",
    route: .post("/identities/{IdentityId}/datasets/{DatasetName}"))
  typealias Output = Body

  struct Input: Structure {
    var identityID = ""
    var dataset = ""
    var maxResults: Int64?
    var context: String?
    var body: Body?

    mutating func members(_ m: inout Members) {
      m.required("IdentityId", &identityID, TextBounds(1...55, #"[\w:-]+"#), in: .path("IdentityId"))
      m.required("DatasetName", &dataset, .any, in: .path("DatasetName"))
      m.optional("MaxResults", &maxResults, .integer(1...60), in: .query("maxResults"))
      m.optional("Context", &context, .any, in: .header("x-amz-Client-Context"))
      m.optional("Body", &body)
    }
  }

  struct Body: Structure {
    var keys: [String]?
    var tags: [ExactString: SecretText]?
    var since: Timestamp?

    mutating func members(_ m: inout Members) {
      m.optional("Keys", &keys, .init(0...8, of: TextBounds(1...64)))
      m.optional("Tags", &tags, .init(0...8, keys: TextBounds(1...64), values: .any.sensitive))
      m.optional("Since", &since)
    }
  }
}

/// Runs one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  let body = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
  let (service, operation) = operations[Int(start[0]) % operations.count]
  run(operation, service, body)
  // The same bytes as a path, and what follows a line feed as a header field and the body.
  travel(body)
  return 0
}

/// Reads a request of REST-JSON. What is read is written and read again.
private func travel(_ bytes: [UInt8]) {
  let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
  var headers: [(name: String, value: String)] = []
  if parts.count > 1 { headers.append(("X-Amz-Client-Context", String(decoding: parts[1], as: UTF8.self))) }
  let head = OperationRequestHead(
    method: "POST", target: String(decoding: parts[0], as: UTF8.self), headers: headers)
  // The same bytes as the query of a call of the query protocol.
  let query = OperationRequestHead(method: "GET", target: "/?\(head.target)", headers: headers)
  if let route = try? router.route(form: [], query) { precondition(route.binding != .rest) }
  guard let route = try? router.route(head),
    let input = try? Records.input(route, parts.count == 3 ? Array(parts[2]) : [])
  else { return }
  let request = Records.encode(input, .rest)
  precondition(request.target.utf8.allSatisfy { (0x21...0x7E).contains($0) })
  let again = OperationRequestHead(method: request.method, target: request.target, headers: request.headers)
  guard let route = try? router.route(again), let read = try? Records.input(route, request.body) else {
    preconditionFailure("a request of REST-JSON is written and not read")
  }
  let last = Records.encode(read, .rest)
  precondition(last.target == request.target && last.body == request.body)
  precondition(read.dataset == input.dataset && read.context == input.context)
}

private func run<Operation: ServiceOperation>(
  _ operation: Operation.Type, _ service: ServiceDeclaration, _ body: [UInt8]
) {
  do throws(OperationError) {
    guard let input = try read(operation, service, body) else { return }
    let request = operation.encode(input, service.binding)
    do throws(OperationError) {
      guard let again = try read(operation, service, request.body) else { return }
      precondition(operation.encode(again, service.binding).body == request.body)
    } catch {
      preconditionFailure("written and not read: \(error)")
    }
    precondition(input.description.first == "{")
  } catch {
    precondition(error.status < 500 && error.publicMessage.utf8.count < 100_000)
    let response = EncodedResponse(error, service.binding, requestID: "1")
    precondition(!response.body.isEmpty)
  }
  if let output = try? operation.decodeOutput(service.binding, body) {
    let response = operation.response(output, service.binding, requestID: "1")
    guard let again = try? operation.decodeOutput(service.binding, response.body) else {
      preconditionFailure("an output is written and not read")
    }
    precondition(operation.response(again, service.binding, requestID: "1").body == response.body)
  }
}

/// Reads a request as a service does; nil where a form selects another operation.
private func read<Operation: ServiceOperation>(
  _ operation: Operation.Type, _ service: ServiceDeclaration, _ body: [UInt8]
) throws(OperationError) -> Operation.Input? {
  let name = operation.declaration.name
  switch service.binding {
  case .json(let prefix):
    let head = OperationRequestHead(
      method: "POST", target: "/", headers: [(name: "X-Amz-Target", value: "\(prefix).\(name)")])
    guard let route = try router.route(head) else { return nil }
    return try operation.input(route, body)
  case .rest:
    guard let declared = operation.declaration.route else { return nil }
    // A text that every label accepts.
    let parts = declared.template.text.split(separator: "/").map { $0.first == "{" ? "a:0" : String($0) }
    let head = OperationRequestHead(
      method: declared.method.text, target: "/" + parts.joined(separator: "/"), headers: [])
    guard let route = try router.route(head) else { return nil }
    return try operation.input(route, body)
  case .query:
    let route = try router.route(form: body)
    return route.declaration.name == name ? try operation.input(route, body) : nil
  }
}
