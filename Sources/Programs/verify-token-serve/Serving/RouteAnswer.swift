internal import HTTPTypes
internal import OpenIDConnect

/// The answer to a proxy's question.
struct RouteAnswer {
  let status: Int
  var fields = HTTPFields()
  /// The stable code; `ok` where the request may pass.
  let code: String

  /// The answer of a decision about a token.
  init(_ decision: AuthorizationDecision) {
    status = decision.status
    code = decision.code
    switch decision {
    case .allowed(let claims): for field in claims { append(field.name, field.value) }
    case .unauthenticated(let challenge, _, let nonce):
      fields[.wwwAuthenticate] = challenge
      if let nonce { append("DPoP-Nonce", nonce) }
    case .forbidden(let challenge, _): fields[.wwwAuthenticate] = challenge
    case .unavailable: fields[.retryAfter] = "1"
    case .routeUnknown: break
    }
  }

  /// A request that may pass, with header fields for the application.
  init(allowing fields: [(name: String, value: String)]) {
    status = 200
    code = "ok"
    for field in fields { append(field.name, field.value) }
  }

  /// A signed request that is refused, with the code of its error for clients of AWS's protocols.
  init(refusing error: String, code: String) {
    status = 403
    self.code = code
    append("X-Amzn-ErrorType", error)
  }

  /// A request that cannot be decided now.
  init(unavailable code: String) { self.init(AuthorizationDecision.unavailable(code: code)) }

  private mutating func append(_ name: String, _ value: String) {
    guard let name = HTTPField.Name(name) else { return }
    fields.append(HTTPField(name: name, value: value))
  }
}
