import JOSE

var keys: JWKSet { given() }
var compact: String { given() }
var token: VerifiedToken { given() }
var policy: TokenPolicy {
  get { given() }
  set {}
}

func serve(_ subject: String?, _ scope: String?) {}
func log(_ code: String, _ sentence: String) {}
func record(_ token: VerifiedToken) async throws {}
func respond(_ status: Int) {}
func isRevoked(_ tokenID: String?) -> Bool { given() }
