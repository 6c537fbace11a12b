internal import CognitoIdentity
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import ServiceOperations
internal import TokenSecurityPlatform
internal import ServiceHosting

/// Reading of calls: which operation a request selects, and its body.
extension CallHandler {
  /// Selects the operation by the head, before the body is read; by the body only for a form.
  nonisolated(nonsending) func read(
    _ request: Request, _ context: RequestSender, _ record: inout CallRecord
  ) async throws(CallRefusal) -> (OperationRoute, [UInt8]) {
    let route: OperationRoute?
    var isKept = true
    do throws(CallRefusal) {
      route = try select(request, &record)
      if let route { isKept = try await admits(request, route, &record) }
    } catch {
      // Read to its end, so that the client can read the response.
      _ = try await body(of: request, limit: 0, context, &record)
      throw error
    }
    if let route {
      let limit = route.declaration.bodyLimit
      let body = try await body(of: request, limit: limit, keeps: isKept, context, &record)
      guard body.count <= limit else { throw CallRefusal(.bodyTooLarge(limit: limit)) }
      if !isKept { try await refuse(request, route, size: body.count) }
      return (route, body.bytes)
    }
    record.binding = formBinding
    let limit = OperationDeclaration.bodyLimit
    let form = try await body(of: request, limit: limit, context, &record)
    guard form.count <= limit else { throw CallRefusal(.bodyTooLarge(limit: limit)) }
    do throws(OperationError) {
      let route = try router.route(form: form.bytes)
      record.route = route
      return (route, form.bytes)
    } catch {
      throw CallRefusal(error)
    }
  }

  private func select(_ request: Request, _ record: inout CallRecord) throws(CallRefusal) -> OperationRoute? {
    let head = OperationRequestHead(
      method: request.method.rawValue, target: request.head.path ?? "",
      headers: request.headers.map { ($0.name.rawName, $0.value) })
    // Whatever is served at another path is REST-JSON.
    if !head.target.utf8.prefix(while: { $0 != UInt8(ascii: "?") }).elementsEqual("/".utf8) {
      record.binding = .rest
    }
    let route: OperationRoute?
    do throws(OperationError) { route = try router.route(head) } catch { throw CallRefusal(error) }
    guard let route else { return nil }
    record.binding = route.binding
    let expected = route.binding.contentType
    if case .json = route.binding, !request.hasMediaType(expected) {
      throw CallRefusal(.serialization(rule: "Content-Type must be \(expected)"))
    }
    record.route = route
    guard case .signed = route.declaration.access else { return route }
    do throws(IdentityError) { try SignedCallers.requireSignature(request.head) } catch {
      throw CallRefusal(error)
    }
    return route
  }

  /// Checks by the head who calls an operation with large bodies, before one is read. The signature covers the body,
  /// and is verified with it.
  ///
  /// - Returns: false where the body is not to be kept, since its access key does not exist or its session token does not
  ///   open. It is read all the same, and refused as one with a wrong signature: whoever does not have a key's secret must
  ///   not find out that it exists.
  /// - Throws: refusals of an identity's credentials. Who has those knows what they allow.
  private nonisolated(nonsending) func admits(
    _ request: Request, _ route: OperationRoute, _ record: inout CallRecord
  ) async throws(CallRefusal) -> Bool {
    guard route.declaration.bodyLimit > OperationDeclaration.bodyLimit,
      request.declaredSize.map({ $0 > OperationDeclaration.bodyLimit }) ?? true,
      let service = services[ObjectIdentifier(route.operation)]
    else { return true }
    let claimed: SignedCallers.Caller?
    do throws(IdentityError) {
      claimed = try await callers.claimedCaller(request.head, of: service.declaration.signingName)
    } catch {
      throw CallRefusal(error)
    }
    guard let claimed else { return false }
    // What a developer may do is checked after the signature.
    guard case .session = claimed else { return true }
    try service.admit(route, claimed)
    record.places = largeBodies.ofIdentities
    return true
  }

  /// Refuses a call whose caller does not exist, after the time that a wrong signature over its body takes.
  private nonisolated(nonsending) func refuse(
    _ request: Request, _ route: OperationRoute, size: Int
  ) async throws(CallRefusal) {
    guard let service = services[ObjectIdentifier(route.operation)] else { return }
    do throws(IdentityError) {
      let body = [UInt8](repeating: 0, count: size)
      _ = try await callers.caller(request.head, body, of: service.declaration.signingName, isUnknown: true)
    } catch {
      throw CallRefusal(error)
    }
  }

  /// A request's body.
  private struct ReadBody {
    /// Empty where it was not kept.
    var bytes: [UInt8] = []
    var count = 0
  }

  /// Reads a request's body. One beyond the limit is read to its end and discarded, so that the client can read the
  /// response. Each MiB counts as a call. Beyond sixteen MiB the connection is closed. A body within the limit that has
  /// more than one MiB takes a place until its call was answered, whether it is kept or not.
  private nonisolated(nonsending) func body(
    of request: Request, limit: Int, keeps: Bool = true, _ context: RequestSender, _ record: inout CallRecord
  ) async throws(CallRefusal) -> ReadBody {
    let unit = OperationDeclaration.bodyLimit
    var body = ReadBody()
    do {
      for try await part in request.body {
        let before = body.count
        body.count += part.readableBytes
        if body.count / unit > before / unit { try self.count(.address(context.address)) }
        guard body.count <= max(limit, unit * 16) else { break }
        if body.count > unit, body.count <= limit, record.place == nil {
          guard let place = record.places?.place(for: context.address) else {
            throw CallRefusal(.tooManyRequests)
          }
          record.place = place
        }
        if keeps, body.count <= limit { body.bytes.append(contentsOf: part.readableBytesView) }
      }
    } catch {
      throw error as? CallRefusal ?? CallRefusal(.serialization(rule: "the request is incomplete"))
    }
    return body
  }
}

extension Request {
  /// The size of the body that the head declares; nil for one in chunks.
  fileprivate var declaredSize: Int? { headers[.contentLength].flatMap { Int($0) } }
}
