import HTTPTypes
import Hummingbird
import OpenIDConnect

/// The response to a refused request (RFC 6750 section 3): a status and a challenge without details.
struct Challenge: Equatable {
  let status: HTTPResponse.Status
  /// The value of `WWW-Authenticate`; nil if authentication is not the problem.
  let value: String?

  /// The request has no credentials: the challenge has no error (section 3.1).
  static func credentialsMissing(realm: String) -> Challenge {
    Challenge(status: .unauthorized, value: "Bearer realm=\"\(realm)\"")
  }

  /// The request is malformed.
  static func malformed(realm: String) -> Challenge {
    Challenge(
      status: .badRequest,
      value:
        "Bearer realm=\"\(realm)\", error=\"invalid_request\", error_description=\"expected one bearer token\""
    )
  }

  /// The token was refused or could not be verified.
  init(_ error: OpenIDError, realm: String) {
    let description: String
    switch error {
    case .token(.expired): description = "the token has expired"
    case .token(.ruleBroken(let refusal)) where refusal.code == ClaimError.Code.scopeMissing.rawValue:
      status = .forbidden
      value =
        "Bearer realm=\"\(realm)\", error=\"insufficient_scope\", error_description=\"a scope is missing\""
      return
    case .token, .issuerMissing, .issuerUnknown: description = "the token is not valid here"
    case .keysNotCached, .keysUnavailable, .addressInvalid, .identifierInvalid, .verifierInvalid: fallthrough
    // Errors may get new cases. The token may be valid, so the client may retry.
    @unknown default:
      status = .serviceUnavailable
      value = nil
      return
    }
    status = .unauthorized
    value = "Bearer realm=\"\(realm)\", error=\"invalid_token\", error_description=\"\(description)\""
  }

  private init(status: HTTPResponse.Status, value: String?) {
    self.status = status
    self.value = value
  }

  /// The response.
  var response: Response {
    var headers = HTTPFields()
    headers[.wwwAuthenticate] = value
    if status == .serviceUnavailable { headers[.retryAfter] = "5" }
    headers[.cacheControl] = "no-store"
    return Response(status: status, headers: headers)
  }
}
