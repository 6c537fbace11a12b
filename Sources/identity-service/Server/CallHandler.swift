internal import CognitoIdentity
internal import TokenSecurityEncodings
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore

/// Handles `POST /`: the JSON 1.1 protocol of identity pools and the query protocol of STS.
final class CallHandler: Sendable {
  let service: IdentityPoolService
  let callers: SignedCallers
  private let repeated: RepeatedCalls
  let limiter: RateLimiter
  let metrics: CallMetrics
  let logger: Logger

  init(
    service: IdentityPoolService, callers: SignedCallers, limiter: RateLimiter, metrics: CallMetrics,
    logger: Logger
  ) {
    self.service = service
    repeated = RepeatedCalls(store: service.store)
    self.callers = callers
    self.limiter = limiter
    self.metrics = metrics
    self.logger = logger
  }

  /// The outcome of a call, for log and metrics.
  private struct Outcome {
    var operation = "unknown"
    var caller = ""
    var error: IdentityError?
  }

  func respond(to request: Request, _ context: CallContext) async -> Response {
    let start = ContinuousClock.now
    var outcome = Outcome()
    let requestID = Self.requestID()
    let type = Self.mediaType(request)
    let isQuery = type == "application/x-www-form-urlencoded"
    var response: Response
    do {
      // Before any work: refused calls count too. A developer's verified signature undoes this.
      try count(.address(context.address))
      let body = try await body(of: request, context)
      response =
        isQuery
        ? try await query(request, body, context, requestID, &outcome)
        : try await json(request, type, body, context, &outcome)
    } catch {
      let refusal = error as? IdentityError ?? .requestMalformed(rule: "the request is incomplete")
      outcome.error = refusal
      if isQuery {
        let (status, body) = SecurityTokenProtocol.errorResponse(refusal, requestID: requestID)
        response = Self.response(status, body, type: "text/xml")
      } else {
        response = Self.response(
          refusal.status, IdentityPoolService.errorResponse(refusal), type: Self.jsonType)
        response.headers[.errorType] = refusal.type
      }
    }
    response.headers[.requestID] = requestID
    record(outcome, requestID, ContinuousClock.now - start)
    return response
  }

  private func record(_ outcome: Outcome, _ requestID: String, _ duration: Duration) {
    let nanoseconds = duration / .nanoseconds(1)
    let code = outcome.error?.codeText ?? "ok"
    metrics.record(outcome.operation, code: code, nanoseconds: Int64(nanoseconds))
    let level: Logger.Level = outcome.error?.status == 500 ? .error : .debug
    logger.log(
      level, "call",
      with: [
        ("operation", outcome.operation), ("code", code), ("caller", outcome.caller), ("request", requestID),
        ("milliseconds", "\(Double(Int(nanoseconds / 1e4)) / 100)"),
        ("reason", Self.reason(outcome.error)),
      ])
  }

  /// The reason of an error of the service, and of a signature that is refused. For other errors the caller
  /// gets the reason.
  private static func reason(_ error: IdentityError?) -> String {
    switch error {
    case .signatureRefused(let error)?: "\(error)"
    case let error? where error.status == 500: error.description
    default: ""
    }
  }

  // MARK: JSON 1.1

  private static let jsonType = "application/x-amz-json-1.1"

  private func json(
    _ request: Request, _ type: String, _ body: [UInt8], _ context: CallContext, _ outcome: inout Outcome
  ) async throws(IdentityError) -> Response {
    guard type == Self.jsonType else {
      throw .requestMalformed(rule: "Content-Type must be \(Self.jsonType)")
    }
    guard let target = request.headers[.target] else { throw .operationUnknown("") }
    let operation = try IdentityPoolService.Operation(target: target)
    outcome.operation = operation.name
    outcome.caller = context.caller
    var caller = IdentityPoolService.OperationCaller.unsigned
    if operation.needsSignature {
      let developer = try await callers.developer(request.head, body)
      outcome.caller = developer.accessKeyID
      try count(developer: outcome.caller, context)
      caller = .developer(accessKeyID: outcome.caller)
      if operation.capability == .administering {
        let origin = RepeatedCalls.Origin(invocation: request.headers[.invocationID], address: context.caller)
        let response = try await repeated.once(developer.accessKeyID, developer.signature, from: origin) {
          () throws(IdentityError) in
          try await service.respond(to: operation, body, by: .developer(accessKeyID: developer.accessKeyID))
        }
        return Self.response(200, response, type: Self.jsonType)
      }
    }
    return Self.response(200, try await service.respond(to: operation, body, by: caller), type: Self.jsonType)
  }

  // MARK: The query protocol

  private func query(
    _ request: Request, _ body: [UInt8], _ context: CallContext, _ requestID: String, _ outcome: inout Outcome
  ) async throws(IdentityError) -> Response {
    let query = try SecurityTokenProtocol.Request(body)
    outcome.operation = query.action.name
    outcome.caller = context.caller
    let tokens = SecurityTokenProtocol(service)
    switch query.action {
    case .assumeRoleWithWebIdentity:
      return Self.response(200, try await tokens.assumeRole(query, requestID: requestID), type: "text/xml")
    case .getCallerIdentity:
      let caller = try await callers.tokenCaller(request.head, body)
      switch caller {
      case .developer(let id):
        outcome.caller = id
        try count(developer: id, context)
      case .session(let session):
        outcome.caller = session.identityID
        // Not refunded to the address, since a guest can get any number of identities.
        try count(.verified(ExactString(session.identityID)))
      }
      return Self.response(200, tokens.callerIdentity(caller, requestID: requestID), type: "text/xml")
    }
  }

  // MARK: Requests and responses

  private func count(_ caller: RateLimiter.Caller) throws(IdentityError) {
    guard limiter.allows(caller) else { throw .tooManyRequests }
  }

  /// Counts a developer's verified call for the access key instead of the address. A call beyond the key's
  /// rate counts for both, since its signature had to be verified.
  private func count(developer id: String, _ context: CallContext) throws(IdentityError) {
    try count(.verified(ExactString(id)))
    limiter.refund(.address(context.address))
  }

  /// Reads a request's body. A body beyond the limit is read to its end and discarded, so that the client can
  /// read the response; each MiB counts as a call. Beyond sixteen times the limit the connection is closed.
  private func body(of request: Request, _ context: CallContext) async throws -> [UInt8] {
    let limit = ServiceConfiguration.bodyLimit
    var bytes: [UInt8] = []
    var count = 0
    for try await part in request.body {
      let before = count
      count += part.readableBytes
      if count / limit > before / limit { try self.count(.address(context.address)) }
      guard count <= limit * 16 else { break }
      if count <= limit { bytes.append(contentsOf: part.readableBytesView) }
    }
    guard count <= limit else {
      throw IdentityError.parameterRefused("the body", rule: "it has more than \(limit) bytes")
    }
    return bytes
  }

  private static func mediaType(_ request: Request) -> String {
    let value = request.headers[.contentType] ?? ""
    if value == jsonType { return value }
    func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let type = value.utf8.prefix { $0 != UInt8(ascii: ";") }.drop(while: isSpace)
    return String(decoding: type.reversed().drop(while: isSpace).reversed(), as: UTF8.self).lowercasedASCII
  }

  private static func response(_ status: Int, _ body: [UInt8], type: String) -> Response {
    var fields = HTTPFields()
    fields[.contentType] = type
    fields[.cacheControl] = "no-store"
    return Response(
      status: HTTPResponse.Status(code: status), headers: fields,
      body: .init(byteBuffer: ByteBuffer(bytes: body)))
  }

  private static func requestID() -> String {
    var generator = SystemRandomNumberGenerator()
    let text = String(generator.next(), radix: 16)
    return String(repeating: "0", count: 16 - text.utf8.count) + text
  }
}

extension HTTPField.Name {
  static let target = HTTPField.Name("X-Amz-Target") ?? .contentType
  /// The name of a call and its retries in AWS's SDKs.
  static let invocationID = HTTPField.Name("amz-sdk-invocation-id") ?? .contentType
  static let errorType = HTTPField.Name("x-amzn-ErrorType") ?? .contentType
  static let requestID = HTTPField.Name("x-amzn-RequestId") ?? .contentType
}
