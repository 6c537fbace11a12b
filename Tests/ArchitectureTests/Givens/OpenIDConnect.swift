import OpenIDConnect

var transport: any HTTPTransport { given() }
var compact: String { given() }
var verifier: OpenIDVerifier { given() }
var session: Session { given() }
var response: TokenResponse { given() }

struct Session {
  var nonce: String
}

struct TokenResponse {
  var accessToken: String
  var idToken: String
}
