internal import CognitoIdentity
internal import CognitoUserPool
internal import HTTPTypes
internal import Hummingbird
internal import TokenSecurityBase

/// The documents for verifiers of tokens: keys, and where they are. They are served while the store fails.
struct PublicDocuments {
  let services: PoolServices
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
    default: return await ofUserPool(route, request)
    }
  }

  /// The documents of user pools: `/POOL/.well-known/jwks.json`, `/POOL/.well-known/openid-configuration`.
  private nonisolated(nonsending) func ofUserPool(_ route: String, _ request: Request) async -> Response? {
    let parts = route.parts(at: "/", most: 5)
    guard parts.count == 4, parts[0].isEmpty, parts[2] == ".well-known", (try? UserPoolID(parts[1])) != nil
    else { return nil }
    do throws(UserPoolError) {
      switch parts[3] {
      case "jwks.json":
        return .document(
          try await services.userPools.published.keySet(ofPool: parts[1]), type: "application/json",
          cache: Self.cached)
      case "openid-configuration":
        return .document(
          try await services.userPools.published.discoveryDocument(ofPool: parts[1], at: address(request)),
          type: "application/json", cache: base == nil ? "no-store" : Self.cached)
      default: return nil
      }
    } catch {
      if case .poolUnknown = error { return nil }
      return Response(status: .serviceUnavailable, headers: [.retryAfter: "1", .cacheControl: "no-store"])
    }
  }

  private var service: IdentityPoolService { services.identityPools }

  private func address(_ request: Request) -> String {
    base ?? "\(scheme)://\(request.head.authority ?? "localhost")"
  }
}
