internal import CognitoIdentity
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import ServiceHosting
internal import ServiceOperations
internal import TokenSecurityPlatform

/// Reading of calls: which operation a request selects, and its body.
extension CallHandler {
  /// Selects the operation by the head, before the body is read; by query and body only in the
  /// query protocol.
  nonisolated(nonsending) func read(
    _ request: Request, _ context: RequestSender, _ record: inout CallRecord
  ) async throws(CallRefusal) -> (OperationRoute, [UInt8]) {
    let head = OperationRequestHead(
      method: request.method.rawValue, target: request.head.path ?? "",
      headers: request.headers.map { ($0.name.rawName, $0.value) })
    let route: OperationRoute?
    do throws(CallRefusal) {
      route = try select(request, head, &record)
      if let route { try admit(request, route, &record) }
    } catch {
      // Read to its end, so that the client can read the response.
      _ = try await body(of: request, limit: 0, context, &record)
      throw error
    }
    if let route {
      let limit = route.declaration.bodyLimit
      guard let bytes = try await body(of: request, limit: limit, context, &record) else {
        throw CallRefusal(.bodyTooLarge(limit: limit))
      }
      return (route, bytes)
    }
    record.binding = formBinding
    let limit = OperationDeclaration.bodyLimit
    guard let form = try await body(of: request, limit: limit, context, &record) else {
      throw CallRefusal(.bodyTooLarge(limit: limit))
    }
    do throws(OperationError) {
      let route = try router.route(form: form, head)
      record.route = route
      return (route, form)
    } catch {
      throw CallRefusal(error)
    }
  }

  private func select(
    _ request: Request, _ head: OperationRequestHead, _ record: inout CallRecord
  ) throws(CallRefusal) -> OperationRoute? {
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

  /// Checks by the head what an identity's credentials allow, before a large body is read. The signature covers the body,
  /// and is verified with it.
  ///
  /// Of an access key, and of a session token that does not open, nothing is checked here: whoever does not have a key's
  /// secret must not find out that it exists. Such a body takes a slot of its own kind.
  ///
  /// - Throws: refusals of an identity's credentials. Who has those knows what they allow.
  private func admit(
    _ request: Request, _ route: OperationRoute, _ record: inout CallRecord
  ) throws(CallRefusal) {
    guard route.declaration.bodyLimit > OperationDeclaration.bodyLimit,
      request.declaredSize.map({ $0 > OperationDeclaration.bodyLimit }) ?? true,
      let service = services[ObjectIdentifier(route.operation)]
    else { return }
    let claimed: SignedCallers.Caller?
    do throws(IdentityError) {
      claimed = try callers.claimedSession(request.head, of: service.declaration.signingName)
    } catch {
      throw CallRefusal(error)
    }
    guard let claimed else { return }
    try service.admit(route, claimed)
    record.slots = largeBodies.ofIdentities
  }

  /// Takes a slot for a call whose response repeats its values, and where these need so many escapes that the response
  /// becomes large: afterwards it would be too late to refuse it.
  func takeSlot(
    for body: [UInt8], of route: OperationRoute, _ context: RequestSender, _ record: inout CallRecord
  ) throws(CallRefusal) {
    let unit = OperationDeclaration.bodyLimit
    guard record.slot == nil, route.declaration.bodyLimit > unit, body.count > unit / 6 else { return }
    // The characters that are escaped begin with these bytes; an escape has at most six.
    let escaped = body.count { $0 == 0x7F || $0 == 0xC2 || $0 == 0xD8 || $0 == 0xE2 }
    guard body.count + 5 * escaped > unit else { return }
    record.slot = record.slots?.slot(for: context.address)
    guard record.slot != nil else { throw CallRefusal(.tooManyRequests) }
  }

  /// Reads a request's body; nil for one beyond the limit, which is read to its end and discarded, so that the
  /// client can read the response. Each MiB counts as a call. Beyond sixteen MiB the connection is closed. A body that
  /// is kept and has more than one MiB takes a slot until its call was answered.
  private nonisolated(nonsending) func body(
    of request: Request, limit: Int, _ context: RequestSender, _ record: inout CallRecord
  ) async throws(CallRefusal) -> [UInt8]? {
    let unit = OperationDeclaration.bodyLimit
    var bytes: [UInt8] = []
    var count = 0
    do {
      for try await part in request.body {
        let before = count
        count += part.readableBytes
        if count / unit > before / unit { try self.count(.address(context.address)) }
        guard count <= max(limit, unit * 16) else { break }
        if count > unit, count <= limit, record.slot == nil {
          guard let slot = record.slots?.slot(for: context.address) else {
            throw CallRefusal(.tooManyRequests)
          }
          record.slot = slot
        }
        if count <= limit { bytes.append(contentsOf: part.readableBytesView) }
      }
    } catch {
      throw error as? CallRefusal ?? CallRefusal(.serialization(rule: "the request is incomplete"))
    }
    return count <= limit ? bytes : nil
  }
}

extension Request {
  /// The size of the body that the head declares; nil for one in chunks.
  fileprivate var declaredSize: Int? { headers[.contentLength].flatMap { Int($0) } }
}
