import Hummingbird
import OpenIDConnect

/// A request's context that has the token it came with, once that has been verified.
public struct BearerContext: RequestContext {
  public var coreContext: CoreRequestContextStorage
  /// The verified token. Behind ``BearerMiddleware`` it is always there.
  public fileprivate(set) var token: VerifiedToken?

  public init(source: Source) { coreContext = .init(source: source) }

  /// The verified token, or 401 where a route was put in front of the middleware by mistake.
  public func requireToken() throws -> VerifiedToken {
    guard let token else { throw HTTPError(.unauthorized) }
    return token
  }
}

/// Lets requests pass that bear a valid token, and puts the token into their context.
public struct BearerMiddleware: RouterMiddleware {
  private let verifier: OpenIDVerifier
  private let realm: String

  /// - Parameters:
  ///   - verifier: what tokens must be.
  ///   - realm: what the caller is told that the token is for.
  public init(verifier: OpenIDVerifier, realm: String) {
    self.verifier = verifier
    self.realm = realm
  }

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
      // The code and the reason are for us; the caller is told what RFC 6750 has for it.
      context.logger.info(
        error.isRefusal ? "token refused" : "token not judged",
        metadata: ["code": "\(error.codeText)", "reason": "\(error)"])
      return Challenge(error, realm: realm).response
    }
    return try await next(request, context)
  }
}
