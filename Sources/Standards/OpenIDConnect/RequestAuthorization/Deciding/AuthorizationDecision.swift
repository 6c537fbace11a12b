/// The decision on a request, for a proxy. `auth_request` of nginx and the HTTP service of Envoy's `ext_authz` act on
/// the status.
public enum AuthorizationDecision: Sendable, Hashable {
  /// The request may pass (200), with these header fields.
  case allowed([Field])
  /// There is no usable token (401), with the challenge of RFC 6750 section 3.
  /// `nonce` is the value of `DPoP-Nonce` (RFC 9449 section 9); nil for none.
  case unauthenticated(challenge: String, code: String, nonce: String? = nil)
  /// The token is valid and not enough (403), with the challenge.
  case forbidden(challenge: String, code: String)
  /// It cannot be decided now (503): there are no keys. The request must not pass.
  case unavailable(code: String)
  /// There is no such route (404). The request must not pass.
  case routeUnknown

  /// A header field.
  public struct Field: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The value.
    public let value: String

    /// Makes a field.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - value: the value.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The HTTP status.
  public var status: Int {
    switch self {
    case .allowed: 200
    case .unauthenticated: 401
    case .forbidden: 403
    case .unavailable: 503
    case .routeUnknown: 404
    }
  }

  /// The stable code for logs and metrics; `ok` for a request that may pass.
  public var code: String {
    switch self {
    case .allowed: "ok"
    case .unauthenticated(_, let code, _), .forbidden(_, let code), .unavailable(let code): code
    case .routeUnknown: "route_unknown"
    }
  }
}
