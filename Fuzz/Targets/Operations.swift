import CognitoIdentityOperations
import SecurityTokenOperations
import ServiceOperations

/// Requests and responses of declared operations: the first byte selects the operation, the rest is the body. A body
/// that is read is written and read again.
private let services = [identityPools, securityTokenService]
private let operations = services.flatMap { service in service.operations.map { (service, $0) } }
private let router = OperationRouter(identityPools, securityTokenService)

/// Runs one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 0 else { return 0 }
  let body = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
  let (service, operation) = operations[Int(start[0]) % operations.count]
  run(operation, service, body)
  // The same bytes as a path.
  let head = OperationRequestHead(method: "POST", target: String(decoding: body, as: UTF8.self), headers: [])
  _ = try? router.route(head)
  return 0
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
  case .query, .rest:
    let route = try router.route(form: body)
    return route.declaration.name == name ? try operation.input(route, body) : nil
  }
}
