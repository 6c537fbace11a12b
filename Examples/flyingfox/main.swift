import CurlTransport
import FlyingFox
import Foundation
import OpenIDConnect

/// Refuses requests without a valid bearer token, and hands its claims to the handler.
struct BearerHandler: HTTPHandler {
  let verifier: OpenIDVerifier
  let next: @Sendable (HTTPRequest, TokenClaims) async throws -> HTTPResponse

  func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
    let words = (request.headers[.authorization] ?? "").split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bearer" else {
      return Self.refusal("Bearer")
    }
    let claims: TokenClaims
    do {
      claims = try await verifier.verifyFetchingKeys(String(words[1])).claims
    } catch {
      guard error.isRefusal else { return HTTPResponse(statusCode: .serviceUnavailable) }
      return Self.refusal("Bearer error=\"invalid_token\", error_description=\"\(error.codeText)\"")
    }
    return try await next(request, claims)
  }

  private static func refusal(_ challenge: String) -> HTTPResponse {
    // A literal would be divided at the comma.
    var headers = HTTPHeaders()
    headers[HTTPHeader("WWW-Authenticate")] = challenge
    return HTTPResponse(statusCode: .unauthorized, headers: headers)
  }
}

// The port, the issuer, the name of this API in tokens, and a PEM file for an issuer with certificates of its own.
let arguments = CommandLine.arguments
let transport = CurlHTTPTransport(trustRoots: arguments.count > 4 ? .file(arguments[4]) : .system)
let issuer = TrustedIssuer.authorizationServer(
  arguments[2], audiences: [arguments[3]], clientIDs: .unchecked(because: "all clients are ours"))
let verifier = try OpenIDVerifier([issuer], transport: transport)

let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: UInt16(arguments[1]) ?? 8080))
let me = BearerHandler(verifier: verifier) { _, claims in
  HTTPResponse(statusCode: .ok, body: Data("Hello, \(claims.subject ?? "nobody")".utf8))
}
await server.appendRoute("GET /me", to: me)
try await server.run()
