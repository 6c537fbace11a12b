import HTTPTypes
import Hummingbird
import OpenIDConnect

/// What is answered to a request that may not pass (RFC 6750 section 3): a status, and a challenge that says no
/// more than the caller needs to know.
struct Challenge: Equatable {
  let status: HTTPResponse.Status
  /// The value of `WWW-Authenticate`; nil where authentication is not the matter.
  let value: String?

  /// No credentials came: no error is told (section 3.1).
  static func credentialsMissing(realm: String) -> Challenge {
    Challenge(status: .unauthorized, value: "Bearer realm=\"\(realm)\"")
  }

  /// The request is not formed as it must be.
  static func malformed(realm: String) -> Challenge {
    Challenge(
      status: .badRequest,
      value:
        "Bearer realm=\"\(realm)\", error=\"invalid_request\", error_description=\"one bearer token is wanted\""
    )
  }

  /// The token was refused, or could not be judged.
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
    // Errors may get new cases. Without knowing that the token is wrong, the client may try again.
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

  /// The answer.
  var response: Response {
    var fields = HTTPFields()
    fields[.wwwAuthenticate] = value
    if status == .serviceUnavailable { fields[.retryAfter] = "5" }
    fields[.cacheControl] = "no-store"
    return Response(status: status, headers: fields)
  }
}
