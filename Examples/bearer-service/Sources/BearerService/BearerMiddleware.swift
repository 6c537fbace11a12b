import Hummingbird
import OpenIDConnect

/// A request context with the request's verified token.
public struct BearerContext: RequestContext {
  /// The context that Hummingbird needs.
  public var coreContext: CoreRequestContextStorage
  /// The verified token. Routes after ``BearerMiddleware`` always have one.
  public fileprivate(set) var token: VerifiedToken?

  /// A context without a token.
  public init(source: Source) { coreContext = .init(source: source) }

  /// The verified token. Throws 401 if the route is not after the middleware.
  public func requireToken() throws -> VerifiedToken {
    guard let token else { throw HTTPError(.unauthorized) }
    return token
  }
}

/// Refuses requests without a valid bearer token, and puts the token into the request context.
public struct BearerMiddleware: RouterMiddleware {
  private let verifier: OpenIDVerifier
  private let realm: String

  /// - Parameters:
  ///   - verifier: verifies the tokens.
  ///   - realm: the realm in challenges.
  public init(verifier: OpenIDVerifier, realm: String) {
    self.verifier = verifier
    self.realm = realm
  }

  /// Verifies the token of a request and calls the next responder, or responds with a challenge (RFC 6750
  /// section 3).
  public func handle(
    _ request: Request, context: BearerContext,
    next: (Request, BearerContext) async throws -> Response
  ) async throws -> Response {
    let compact: String
    switch BearerToken(request.headers) {
    case .absent: return Challenge.credentialsMissing(realm: realm).response
    case .malformed: return Challenge.malformed(realm: realm).response
    case .present(let text): compact = text
    }
    var context = context
    do throws(OpenIDError) {
      context.token = try await verifier.verifyFetchingKeys(compact)
    } catch {
      // Only the log has the code and the reason. The caller gets an error of RFC 6750.
      context.logger.info(
        error.isRefusal ? "token refused" : "token not verified",
        metadata: ["code": "\(error.codeText)", "reason": "\(error)"])
      return Challenge(error, realm: realm).response
    }
    return try await next(request, context)
  }
}
