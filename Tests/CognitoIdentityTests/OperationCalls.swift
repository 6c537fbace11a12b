internal import CognitoIdentity
internal import ServiceOperations

/// Calls of a service's operations, as requests name them.
extension IdentityPoolService {
  static let router = OperationRouter(identityPools, securityTokenService, signingKeyService)

  /// The operation of the JSON protocol.
  static func route(_ operation: String) throws(IdentityError) -> OperationRoute? {
    let target = (name: "X-Amz-Target", value: "AWSCognitoIdentityService.\(operation)")
    do throws(OperationError) {
      return try router.route(OperationRequestHead(method: "POST", target: "/", headers: [target]))
    } catch {
      throw IdentityError(error)
    }
  }

  /// Calls an operation of the JSON protocol and returns the response's body.
  @discardableResult
  func call(
    _ operation: String, _ body: [UInt8], by caller: IdentityPoolOperations.Caller
  ) async throws(IdentityError) -> [UInt8] {
    guard let route = try Self.route(operation) else { return [] }
    let call = try await IdentityPoolOperations(self).call(route, body, by: caller)
    return try await call.respond(.init(caller: caller, at: Fixture.now), requestID: "r").response.body
  }

  /// Calls an operation with an access key that may do everything.
  func call(_ operation: String, _ body: String) async throws(IdentityError) {
    try await call(operation, Array(body.utf8), by: .developer(accessKeyID: try await createAccessKey().id))
  }

  /// Calls an operation of the token service.
  func call(form: String) async throws(IdentityError) {
    let route: OperationRoute
    do throws(OperationError) { route = try Self.router.route(form: Array(form.utf8)) } catch {
      throw IdentityError(error)
    }
    let caller = IdentityPoolOperations.Caller.developer(accessKeyID: try await createAccessKey().id)
    let call = try await IdentityPoolOperations(self).call(route, Array(form.utf8), by: caller)
    _ = try await call.respond(.init(caller: caller, at: Fixture.now), requestID: "r")
  }
}
