import Hummingbird
import OpenIDConnect

/// The service: one public route, and one for callers with a valid token.
public func makeRouter(verifier: OpenIDVerifier) -> Router<BearerContext> {
  let router = Router(context: BearerContext.self)
  router.get("/health") { _, _ in HTTPResponse.Status.ok }
  router.group()
    .add(middleware: BearerMiddleware(verifier: verifier, realm: "orders"))
    .get("/me") { _, context in
      let token = try context.requireToken()
      return Caller(
        subject: token.claims.subject ?? "", issuer: token.claims.issuer ?? "",
        secondsLeft: token.claims.expiration.map { $0.seconds - token.verifiedAt.seconds })
    }
  return router
}

/// The caller, from the token's claims.
struct Caller: ResponseEncodable {
  let subject: String
  let issuer: String
  let secondsLeft: Int64?
}
