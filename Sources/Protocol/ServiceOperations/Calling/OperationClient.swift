public import HTTPExchange

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
  private let messages: OperationMessages
  private let transport: any HTTPTransport

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
    messages = OperationMessages(service, at: address, limits: limits)
    self.transport = transport
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
    messages.request(operation, input)
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
    let sent = try messages.transportRequest(request)
    let response: TransportResponse
    do throws(TransportError) { response = try await transport.send(sent) } catch {
      throw OperationCallError(error)
    }
    return try messages.output(of: consume response, for: operation)
  }
}
