import JOSE

var text: String { given() }
var keySet: String { given() }
var compact: String { given() }
var key: JWK { given() }
var token: VerifiedToken { given() }
var policy: TokenPolicy {
  get { given() }
  set {}
}
