/// How a service's operations travel over HTTP.
public enum ServiceBinding: Sendable, Hashable {
  /// AWS JSON 1.1: `POST /`, the operation in `X-Amz-Target` after this prefix and a full stop.
  case json(targetPrefix: ExactString)
  /// The query protocol: a form with `Action` and `Version`, answered in XML of this namespace.
  case query(version: ExactString, namespace: ExactString)
  /// REST-JSON: method and path select the operation.
  case rest

  /// The content type of requests and, but for XML, of responses.
  public var contentType: String {
    switch self {
    case .json: "application/x-amz-json-1.1"
    case .query: "application/x-www-form-urlencoded"
    case .rest: "application/json"
    }
  }
}

/// An HTTP method and a path with labels, such as `/identitypools/{IdentityPoolId}`.
public struct HTTPRoute: Sendable, Hashable {
  /// The method.
  public let method: ExactString
  /// The path.
  public let template: ExactString

  /// `GET`.
  ///
  /// - Parameter template: the path.
  /// - Returns: the route.
  public static func get(_ template: ExactString) -> HTTPRoute {
    HTTPRoute(method: "GET", template: template)
  }
  /// `POST`.
  ///
  /// - Parameter template: the path.
  /// - Returns: the route.
  public static func post(_ template: ExactString) -> HTTPRoute {
    HTTPRoute(method: "POST", template: template)
  }
  /// `DELETE`.
  ///
  /// - Parameter template: the path.
  /// - Returns: the route.
  public static func delete(_ template: ExactString) -> HTTPRoute {
    HTTPRoute(method: "DELETE", template: template)
  }
}
