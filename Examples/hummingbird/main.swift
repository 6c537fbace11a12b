import AsyncHTTPTransport
import Hummingbird
import OpenIDConnect

/// What a route knows about its caller.
struct CallerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  var claims: TokenClaims?
  init(source: Source) { coreContext = .init(source: source) }
}

/// Refuses requests without a valid bearer token, and hands its claims to the routes.
struct BearerMiddleware: RouterMiddleware {
  let verifier: OpenIDVerifier

  func handle(
    _ request: Request, context: CallerContext, next: (Request, CallerContext) async throws -> Response
  ) async throws -> Response {
    let words = (request.headers[.authorization] ?? "").split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bearer" else {
      return Response(status: .unauthorized, headers: [.wwwAuthenticate: "Bearer"])
    }
    var context = context
    do {
      context.claims = try await verifier.verifyFetchingKeys(String(words[1])).claims
    } catch {
      context.logger.info("\(error)")
      guard error.isRefusal else { return Response(status: .serviceUnavailable) }
      let challenge = "Bearer error=\"invalid_token\", error_description=\"\(error.codeText)\""
      return Response(status: .unauthorized, headers: [.wwwAuthenticate: challenge])
    }
    return try await next(request, context)
  }
}

// The port, the issuer, the name of this API in tokens, and a PEM file for an issuer with certificates of its own.
let arguments = CommandLine.arguments
let transport = HTTPClientTransport(trustRoots: arguments.count > 4 ? .file(arguments[4]) : .system)
let issuer = TrustedIssuer.authorizationServer(
  arguments[2], audiences: [arguments[3]], clientIDs: .unchecked(because: "all clients are ours"))
let verifier = try OpenIDVerifier([issuer], transport: transport)

let router = Router(context: CallerContext.self)
router.group().add(middleware: BearerMiddleware(verifier: verifier))
  .get("/me") { _, context in "Hello, \(context.claims?.subject ?? "nobody")" }
let server = Application(
  router: router, configuration: .init(address: .hostname("127.0.0.1", port: Int(arguments[1]) ?? 8080)))
try await server.runService()
