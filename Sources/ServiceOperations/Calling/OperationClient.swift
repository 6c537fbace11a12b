public import HTTPExchange
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// Calls the operations of a service.
///
///     let address = "https://cognito-identity.eu-west-1.amazonaws.com"
///     let client = OperationClient(identityPools, at: address, transport)
///     let identity = try await client.call(GetID.self) { $0.poolID = pool }
public struct OperationClient: Sendable {
  /// Signs a request: adds header fields to it.
  public typealias Signing = @Sendable (EncodedRequest) throws(OperationCallError) -> EncodedRequest

  private let service: ServiceDeclaration
  private let address: String
  private let transport: any HTTPTransport
  private let limits: TransportLimits

  /// A client.
  ///
  /// - Parameters:
  ///   - service: the service.
  ///   - address: its address without a trailing slash.
  ///   - transport: the HTTP client.
  ///   - limits: the limits of each call.
  public init(
    _ service: ServiceDeclaration, at address: String, _ transport: any HTTPTransport,
    limits: TransportLimits = TransportLimits(timeout: .seconds(10), responseSize: 1 << 20)
  ) {
    self.service = service
    self.address = address
    self.transport = transport
    self.limits = limits
  }

  /// Calls an operation.
  ///
  /// - Parameters:
  ///   - operation: the operation.
  ///   - input: the input.
  ///   - sign: signs the request. Default: unsigned.
  /// - Returns: the output.
  /// - Throws: `refused`, `responseMalformed`, `unreachable`, `notSigned`.
  public func call<Operation: ServiceOperation>(
    _ operation: Operation.Type, _ input: Operation.Input, sign: Signing? = nil
  ) async throws(OperationCallError) -> Operation.Output {
    var request = Operation.encode(input, service.binding)
    if let sign { request = try sign(request) }
    var response: TransportResponse
    do throws(TransportError) {
      let url = try HTTPURL(address + request.target)
      response = try await transport.send(
        TransportRequest(
          method: request.method, url: url, headers: TransportHeaders(request.headers), body: request.body,
          limits: limits))
    } catch {
      throw .unreachable(error)
    }
    guard (200...299).contains(response.status) else { throw refusal(response) }
    let body = response.body
    response.body = []
    do throws(OperationError) {
      return try Operation.decodeOutput(service.binding, body)
    } catch {
      throw .responseMalformed(rule: "\(error)")
    }
  }

  /// Calls an operation with an input that a closure sets.
  ///
  /// - Parameters:
  ///   - operation: the operation.
  ///   - sign: signs the request. Default: unsigned.
  ///   - set: sets members of the input.
  /// - Returns: the output.
  /// - Throws: `refused`, `responseMalformed`, `unreachable`, `notSigned`.
  public func call<Operation: ServiceOperation>(
    _ operation: Operation.Type, sign: Signing? = nil, _ set: (inout Operation.Input) -> Void
  ) async throws(OperationCallError) -> Operation.Output {
    try await call(operation, Operation.Input(set), sign: sign)
  }

  /// Reads an error response. The header field comes before the body's member, as in AWS's SDKs.
  private func refusal(_ response: TransportResponse) -> OperationCallError {
    var type = response.headers["x-amzn-ErrorType"]
    var message: String?
    if case .query = service.binding {
      if let fields = FieldTree(xml: response.body.span, below: ["ErrorResponse", "Error"]) {
        func text(_ name: String) -> String? {
          fields.child(name, of: FieldTree.form).flatMap { fields.value($0) }
        }
        type = type ?? text("Code")
        message = text("Message")
      }
    } else if let document = try? JSONDocument(
      response.body, limits: JSONLimits(size: limits.responseSize, depth: MemberInput.depth)),
      document.kind(at: 0) == .object
    {
      func text(_ name: String) -> String? { document.member(name).flatMap { document.string(at: $0) } }
      type = type ?? text("__type") ?? text("code")
      message = text("message") ?? text("Message")
    }
    guard let type else {
      return .responseMalformed(rule: "its status is \(response.status), and it names no error")
    }
    // Some services send a namespace before the name, or an address after it.
    let name = type.lastPart(at: "#").parts(at: ":")[0]
    return .refused(type: name, status: response.status, message: message ?? "")
  }
}
