internal import CognitoIdentity
internal import Hummingbird
internal import TokenSecurityEncodings

/// The documents for verifiers of tokens: keys, and where they are. They are served while the store fails.
struct PublicDocuments {
  let service: IdentityPoolService
  /// The URL in documents; nil for that of the request, and such documents must not be cached.
  let base: String?
  let scheme: String

  /// How long keys may be cached: a new key is published long before it signs.
  private static let cached = "public, max-age=300"

  /// Returns a document; nil for another path.
  nonisolated(nonsending) func respond(to request: Request, _ route: String) async -> Response? {
    switch route {
    case "/.well-known/jwks_uri", "/.well-known/jwks.json":
      // Without the store, the keys that are known.
      try? await service.keys.update()
      return .document(service.keys.keySet, type: "application/json", cache: Self.cached)
    case "/.well-known/openid-configuration":
      return .document(
        service.discovery(base: address(request)), type: "application/json",
        cache: base == nil ? "no-store" : Self.cached)
    default: return nil
    }
  }

  private func address(_ request: Request) -> String {
    base ?? "\(scheme)://\(request.head.authority ?? "localhost")"
  }
}
