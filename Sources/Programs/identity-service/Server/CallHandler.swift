internal import CognitoIdentity
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import ServiceHosting
internal import ServiceOperations
internal import TokenLifetime
internal import TokenSecurityBase

/// Handles calls of the operations of declared services, whatever their protocol.
///
/// The order of the checks: the caller's rate, the operation, the signature, the access key's capability, the
/// members, the access key's pools or the policies of the identity's role, and then the rules of the service. What comes before the signature is
/// linear in the size of the request.
final class CallHandler: Sendable {
  let router: OperationRouter
  let services: [ObjectIdentifier: ServedService]
  /// The protocol of forms; that of JSON without one.
  let formBinding: ServiceBinding
  private let jsonBinding: ServiceBinding
  let callers: SignedCallers
  private let repeated: RepeatedCalls
  let limiter: RateLimiter
  let largeBodies = LargeBodies()
  private let metrics: CallMetrics
  private let logger: Logger
  private let failures = ReportLimit()
  private let requestIDs = RequestIDs()
  /// The first parts of the paths that select operations.
  private let roots: Set<ExactString>

  init(
    _ services: [ServedService], callers: SignedCallers, repeated: RepeatedCalls, limiter: RateLimiter,
    metrics: CallMetrics, logger: Logger
  ) {
    self.repeated = repeated
    let declarations = services.map(\.declaration)
    router = OperationRouter(declarations)
    var served: [ObjectIdentifier: ServedService] = [:]
    for service in services {
      for operation in service.declaration.operations { served[ObjectIdentifier(operation)] = service }
    }
    self.services = served
    let bindings = declarations.map(\.binding)
    jsonBinding = bindings.first { if case .json = $0 { true } else { false } } ?? .rest
    formBinding = bindings.first { if case .query = $0 { true } else { false } } ?? jsonBinding
    let routes = declarations.flatMap(\.operations).compactMap { $0.declaration.route }
    roots = Set(routes.map { ExactString(Self.root($0.template.text)) })
    self.callers = callers
    self.limiter = limiter
    self.metrics = metrics
    self.logger = logger
  }

  private static func root(_ path: String) -> String { path.parts(at: "/", most: 3).dropFirst().first ?? "" }

  /// True for a request that selects an operation: `POST /`, `GET /` with an `Action` of the query protocol, or a path
  /// of a service whose operations have paths.
  func serves(_ method: String, path: String, target: String) -> Bool {
    if path == "/" { return method == "POST" || router.hasAction(method: method, target: target) }
    // A browser's preflight is not a call. Neither is HEAD: responses to calls have a body, which a client or a proxy
    // would take for the next response of the connection.
    return method != "OPTIONS" && method != "HEAD" && roots.contains(ExactString(Self.root(path)))
  }

  nonisolated(nonsending) func respond(to request: Request, _ context: RequestSender) async -> Response {
    var record = CallRecord(requestIDs.next(), address: context.caller, binding: jsonBinding)
    record.counted = [.address(context.address)]
    record.slots = largeBodies.ofOthers
    let response: EncodedResponse
    do throws(CallRefusal) {
      let served = try await serve(request, context, &record)
      try hold(served, context, &record)
      response = served
    } catch {
      record.refusal = error
      response = EncodedResponse(error, record.binding, requestID: record.requestID)
    }
    let nanoseconds = Int64((ContinuousClock.now - record.start) / .nanoseconds(1))
    metrics.record(record.operation, code: record.code, nanoseconds: nanoseconds)
    if let failures = record.factor() { metrics.record(failures) }
    if let closed = record.closedCodes() { metrics.record(closed) }
    if let question = record.question { metrics.record(question) }
    record.log(to: logger, failures: failures, nanoseconds: nanoseconds)
    return Self.response(response, requestID: record.requestID, holding: record.slot)
  }

  private nonisolated(nonsending) func serve(
    _ request: Request, _ context: RequestSender, _ record: inout CallRecord
  ) async throws(CallRefusal) -> EncodedResponse {
    // Before any work: refused calls count too. A developer's verified signature undoes this.
    try count(.address(context.address))
    let (route, body) = try await read(request, context, &record)
    guard let service = services[ObjectIdentifier(route.operation)] else {
      throw CallRefusal(.operationNotBuilt(route.declaration.name.text))
    }
    let signed = try await authenticate(request, body, service, route.declaration, context, &record)
    try takeSlot(for: body, of: route, context, &record)
    let origin = CallOrigin(signed?.caller ?? .unsigned, context)
    let call = try await service.call(route, consume body, origin)
    metrics.record(call.ignored, of: record.operation, known: service.declaration.membersNotBuilt)
    record.changing = call.changed
    record.concerned = call.concerned
    record.warning = call.warning
    record.factor = call.factor
    record.closedCodes = call.closedCodes
    record.endedSessions = call.endedSessions
    record.api = call.api
    let requestID = record.requestID
    guard let signed, route.declaration.isKeptForRepetitions(ofDeveloper: signed.isDeveloper) else {
      let outcome = try await call.respond(requestID)
      record.outcome = outcome
      return outcome.response
    }
    let sender = RepeatedCalls.Origin(invocation: request.headers[.invocationID], address: context.caller)
    var outcome: OperationOutcome?
    var refusal: CallRefusal?
    do throws(IdentityError) {
      let body = try await repeated.once(signed.keyID, signed.signature, from: sender) {
        () throws(IdentityError) in
        do throws(CallRefusal) {
          let executed = try await call.respond(requestID)
          outcome = executed
          return executed.response.body
        } catch {
          refusal = error
          throw error.remembered
        }
      }
      record.outcome = outcome
      // Every success has the status 200 and the header fields of its protocol.
      return outcome?.response ?? EncodedResponse(status: 200, route.binding, requestID, body)
    } catch {
      throw refusal ?? CallRefusal(error)
    }
  }

  // MARK: Callers

  /// Verifies the signature of an operation that needs one, and counts the call for the caller.
  private nonisolated(nonsending) func authenticate(
    _ request: Request, _ body: [UInt8], _ service: ServedService,
    _ declaration: OperationDeclaration, _ context: RequestSender, _ record: inout CallRecord
  ) async throws(CallRefusal) -> SignedCallers.Signed? {
    guard case .signed(let signature) = declaration.access else { return nil }
    let signed: SignedCallers.Signed
    do throws(IdentityError) {
      signed = try await callers.caller(
        request.head, body, of: service.declaration.signingName, acceptsPresigned: signature.target == .caller
      )
    } catch {
      throw CallRefusal(error)
    }
    record.caller = signed.name
    // Who was shown a URL does not use up the rate of its owner.
    if signed.isPresigned {
      record.counted = [.address(context.address)]
      return signed
    }
    let caller = RateLimiter.Caller.verified(ExactString(signed.name))
    try count(caller)
    // Counted for the access key instead of the address. A call beyond the key's rate counts for both, since
    // its signature had to be verified; so does one of an identity, since a guest can get any number of them.
    if signed.isDeveloper { limiter.refund(.address(context.address)) }
    record.counted = signed.isDeveloper ? [caller] : [caller, .address(context.address)]
    if !signed.isDeveloper { record.slots = largeBodies.ofIdentities }
    return signed
  }

  func count(_ caller: RateLimiter.Caller) throws(CallRefusal) {
    guard limiter.allows(caller) else { throw CallRefusal(.tooManyRequests) }
  }
}

extension HTTPField.Name {
  /// The name of a call and its retries in AWS's SDKs.
  fileprivate static let invocationID = HTTPField.Name("amz-sdk-invocation-id") ?? .contentType
}
