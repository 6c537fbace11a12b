public import HTTPExchange
internal import TokenSecurityBase

extension TransportLimits {
  /// The limits of calls to identity pools and user pools, whose responses are small.
  package static let poolCall = TransportLimits(timeout: .seconds(10), responseSize: 262_144)
}

/// Calls the operations of a service.
///
///     let address = "https://cognito-identity.eu-west-1.amazonaws.com"
///     let client = OperationClient(identityPools, at: address, transport)
///     let identity = try await client.call(GetID.self) { $0.poolID = pool }
///
/// A signature covers the request as it is sent: ``request(_:_:)`` writes it, the caller signs it, and
/// ``send(_:for:)`` sends it.
public struct OperationClient: Sendable {
  private let service: ServiceDeclaration
  private let address: String
  private let transport: any HTTPTransport
  private let limits: TransportLimits
  /// The URL of the address and `/`, the usual target. It is read once; nil for an address that is refused.
  private let root: HTTPURL?

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
    root = try? HTTPURL(address + "/")
  }

  /// Calls an operation, unsigned.
  ///
  /// - Parameters:
  ///   - operation: the operation.
  ///   - input: the input.
  /// - Returns: the output.
  /// - Throws: `refused`, `requestRefused`, `responseMalformed`, `unreachable`.
  public func call<Operation: ServiceOperation>(
    _ operation: Operation.Type, _ input: Operation.Input
  ) async throws(OperationCallError) -> Operation.Output {
    try await send(request(operation, input), for: operation)
  }

  /// Calls an operation, unsigned, with an input that a closure sets.
  ///
  /// - Parameters:
  ///   - operation: the operation.
  ///   - set: sets members of the input.
  /// - Returns: the output.
  /// - Throws: `refused`, `requestRefused`, `responseMalformed`, `unreachable`.
  public func call<Operation: ServiceOperation>(
    _ operation: Operation.Type, _ set: (inout Operation.Input) -> Void
  ) async throws(OperationCallError) -> Operation.Output {
    try await call(operation, Operation.Input(set))
  }

  /// The request of a call.
  ///
  /// - Parameters:
  ///   - operation: the operation.
  ///   - input: the input.
  /// - Returns: the request, unsigned. It has no `Host`, which a signature needs.
  public func request<Operation: ServiceOperation>(
    _ operation: Operation.Type, _ input: Operation.Input
  ) -> EncodedRequest {
    operation.encode(input, service.binding)
  }

  /// Sends a request and reads the response. Members of the response that are not within the declared bounds
  /// are refused.
  ///
  /// - Parameters:
  ///   - request: the request, as ``request(_:_:)`` returned it, and signed.
  ///   - operation: the operation.
  /// - Returns: the output.
  /// - Throws: `refused`, `requestRefused`, `responseMalformed`, `unreachable`.
  public func send<Operation: ServiceOperation>(
    _ request: EncodedRequest, for operation: Operation.Type
  ) async throws(OperationCallError) -> Operation.Output {
    // A line break would end the field: what follows it would be another field or request.
    if let field = request.headers.first(where: { !EncodedMessage.isField($0) }) {
      throw .requestRefused(rule: "its header field \(field.name.quoted) has a control character")
    }
    var response: TransportResponse
    do throws(TransportError) {
      let url = try url(of: request)
      var headers: TransportHeaders = [:]
      for field in request.headers { headers.append(field.name, field.value) }
      response = try await transport.send(
        TransportRequest(
          method: request.method, url: url, headers: headers, body: request.body, limits: limits))
    } catch .tooLarge(let limit) {
      throw .responseMalformed(rule: "it has more than \(limit) bytes")
    } catch {
      throw .unreachable(error)
    }
    guard (200...299).contains(response.status) else { throw refusal(response) }
    // Moved out and not copied: the decoder wipes a body with secrets.
    var body: [UInt8] = []
    swap(&body, &response.body)
    do throws(OperationError) {
      return try Operation.decodeOutput(service.binding, consume body, limit: limits.responseSize)
    } catch {
      throw .responseMalformed(rule: "\(error)")
    }
  }

  private func url(of request: EncodedRequest) throws(TransportError) -> HTTPURL {
    let target = try checkedTarget(request)
    if let root, target == "/" { return root }
    return try HTTPURL(address + target)
  }

  /// The target of a request, unless a label of its path cannot be sent.
  private func checkedTarget(_ request: EncodedRequest) throws(TransportError) -> String {
    guard case .rest = service.binding else { return request.target }
    let segments = request.target.parts(at: "?", most: 2)[0].parts(at: "/").dropFirst()
    guard !segments.contains(where: PathTemplate.isRemovable) else {
      throw .addressInvalid(
        address + request.target, rule: "a label of its path is empty or a dot segment")
    }
    return request.target
  }

  /// Reads an error response. The header field comes before the body's member, as in AWS's SDKs.
  private func refusal(_ response: TransportResponse) -> OperationCallError {
    let (inBody, message) = error(in: response.body)
    let named = response.headers["x-amzn-ErrorType"] ?? inBody
    // The response is a proxy's or a load balancer's, which did not reach the service.
    if named == nil, (502...504).contains(response.status) {
      return .unreachable(.connection("a gateway responded with status \(response.status)"))
    }
    guard let type = named ?? message.map({ _ in "" }) else {
      return .responseMalformed(rule: "its status is \(response.status), and it names no error")
    }
    // Some services send a namespace before the name, or an address after it.
    let name = type.lastPart(at: "#").parts(at: ":")[0]
    return .refused(type: name, status: response.status, message: message ?? "")
  }

  /// The name and the message in the body of an error response.
  private func error(in body: [UInt8]) -> (type: String?, message: String?) {
    if case .query = service.binding {
      guard let fields = FieldTree(xml: body.span, below: ["ErrorResponse", "Error"]) else {
        return (nil, nil)
      }
      func text(_ name: String) -> String? {
        fields.child(name, of: FieldTree.form).flatMap { fields.value($0) }
      }
      return (text("Code"), text("Message"))
    }
    let jsonLimits = JSONLimits(size: limits.responseSize, depth: MemberInput.depth)
    guard let document = try? JSONDocument(body, limits: jsonLimits) else { return (nil, nil) }
    func text(_ name: String) -> String? { document.member(name).flatMap { document.string(at: $0) } }
    return (text("__type") ?? text("code"), text("message") ?? text("Message"))
  }
}
