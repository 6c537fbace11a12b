import OpenIDConnect

var session: Session { given() }
var response: TokenResponse { given() }

struct Session {
  var nonce: String
}

struct TokenResponse {
  var accessToken: String
  var idToken: String
}

var issuer: TrustedIssuer {
  get { given() }
  set {}
}
var tenants: [Tenant] { given() }
var trusted: Set<String> { given() }

struct Tenant {
  var rules: AccessTokenRules
}

var form: Form { given() }
var sessions: Sessions { given() }

struct Form {
  var logoutToken: String
}

struct Sessions {
  func end(subject: String?, sessionID: String?) {}
}

var bearer: String { given() }
var request: Request { given() }

struct Request {
  var dpop: String
  var clientCertificate: [UInt8]
  var method: String
  var url: String
}
