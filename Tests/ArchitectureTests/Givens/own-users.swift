import CognitoIdentityClient

var pool: String { given() }
var user: User { given() }
var developerCredentials: Credentials { given() }

struct User {
  var id: String
}

var myBackend: Backend { given() }
var userID: String { given() }
var path: String { given() }
var head: RequestHead { given() }
var body: [UInt8] { given() }

struct Backend {
  func token(for identityID: String?, logins: [String: String]) async throws(IdentityClientError)
    -> IdentityCalls.IdentityToken
  { given() }
}

func send(_ identityID: String, _ token: String) {}

var guestID: String? { given() }
var googleToken: String { given() }
var facebookToken: String { given() }
var facebook: Facebook { given() }

struct Facebook {
  var currentToken: String?
}

func refuse(_ error: IdentityClientError) {}
func copyData(from old: String?, to new: String?) async {}
func use(_ credentials: Credentials) {}
func show(_ text: String) {}
