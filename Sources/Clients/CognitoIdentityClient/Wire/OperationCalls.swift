internal import HTTPExchange
internal import ServiceOperations
internal import SigV4
internal import TokenSecurityBase

// Calls of declared operations, with this module's errors.
extension IdentityCalls {
  func call<Operation: ServiceOperation>(
    _ operation: Operation.Type, _ set: (inout Operation.Input) -> Void
  ) async throws(IdentityClientError) -> Operation.Output {
    try await send(client.request(operation, Operation.Input(set)), for: operation)
  }

  func send<Operation: ServiceOperation>(
    _ request: EncodedRequest, for operation: Operation.Type
  ) async throws(IdentityClientError) -> Operation.Output {
    do throws(OperationCallError) {
      return try await client.send(request, for: operation)
    } catch {
      throw IdentityClientError(error)
    }
  }

  /// The request with a developer's signature.
  func signed(
    _ request: EncodedRequest, with credentials: Credentials, at now: Timestamp
  ) throws(IdentityClientError) -> EncodedRequest {
    try endpoint.signed(request, for: identityPools, with: credentials, at: now)
  }

  /// The text of a member that the model lets a response leave out. Throws where it is absent or empty.
  func present(_ text: String?, _ name: String) throws(IdentityClientError) -> String {
    guard let text, !text.isEmpty else { throw .responseMalformed(rule: "it has no \(name)") }
    return text
  }
}

extension IdentityEndpoint {
  /// The request of a service at the address of identity pools, signed.
  func signed(
    _ request: EncodedRequest, for service: ServiceDeclaration, with credentials: Credentials,
    at now: Timestamp
  ) throws(IdentityClientError) -> EncodedRequest {
    do {
      let signer = try Signer(service: service.signingName.text, region: region)
      var request = request
      request.headers = try signer.signedFields(
        request.method, request.target, host: Self.host(identity), request.headers, request.body,
        with: credentials, at: now)
      return request
    } catch {
      throw .credentialsUnusable(error)
    }
  }
}

extension IdentityClientError {
  init(_ error: OperationCallError) {
    switch error {
    case .refused(let type, _, let message): self = .refused(type: type, message: message)
    case .requestRefused(let rule): self = .configurationInvalid(rule: rule)
    case .responseMalformed(let rule): self = .responseMalformed(rule: rule)
    case .unreachable(let error): self = .unreachable("\(error)")
    }
  }
}
