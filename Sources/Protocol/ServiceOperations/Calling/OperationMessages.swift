package import HTTPExchange
internal import TokenSecurityBase

/// The requests and responses of a service's operations, for those who send them.
package struct OperationMessages: Sendable {
  private let service: ServiceDeclaration
  private let address: String
  private let limits: TransportLimits
  /// The URL of the address and `/`, the usual target. It is read once; nil for an address that is refused.
  private let root: HTTPURL?

  /// Messages of a service.
  ///
  /// - Parameters:
  ///   - service: the service.
  ///   - address: its address without a trailing slash.
  ///   - limits: the limits of each call..
  package init(_ service: ServiceDeclaration, at address: String, limits: TransportLimits) {
    self.service = service
    self.address = address
    self.limits = limits
    root = try? HTTPURL(address + "/")
  }

  /// The request of a call, unsigned and without `Host`.
  package func request<Operation: ServiceOperation>(
    _ operation: Operation.Type, _ input: Operation.Input
  ) -> EncodedRequest {
    operation.encode(input, service.binding)
  }

  /// The request as it is sent.
  ///
  /// - Parameter request: the request of a call, perhaps signed.
  /// - Returns: the request with its URL and limits.
  /// - Throws: `requestRefused`, `unreachable`.
  package func transportRequest(_ request: EncodedRequest) throws(OperationCallError) -> TransportRequest {
    // A line break would end the field: what follows it would be another field or request.
    if let field = request.headers.first(where: { !EncodedMessage.isField($0) }) {
      throw .requestRefused(rule: "its header field \(field.name.quoted) has a control character")
    }
    let url: HTTPURL
    do throws(TransportError) { url = try self.url(of: request) } catch { throw OperationCallError(error) }
    var headers: TransportHeaders = [:]
    for field in request.headers { headers.append(field.name, field.value) }
    return TransportRequest(
      method: request.method, url: url, headers: headers, body: request.body, limits: limits)
  }

  /// Reads a response. Members that are not within the declared bounds are refused.
  ///
  /// - Parameters:
  ///   - response: the response.
  ///   - operation: the operation.
  /// - Returns: the output.
  /// - Throws: `refused`, `responseMalformed`, `unreachable`.
  package func output<Operation: ServiceOperation>(
    of response: consuming TransportResponse, for operation: Operation.Type
  ) throws(OperationCallError) -> Operation.Output {
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

extension OperationCallError {
  /// Why there is no response.
  package init(_ error: TransportError) {
    if case .tooLarge(let limit) = error {
      self = .responseMalformed(rule: "it has more than \(limit) bytes")
    } else {
      self = .unreachable(error)
    }
  }
}
