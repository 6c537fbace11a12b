import CognitoIdentityClient

var transport: any HTTPTransport { given() }
var calls: IdentityCalls { given() }
var pool: String { given() }
var user: String { given() }
var session: StaticLogins { given() }
var id: String { given() }
var token: String { given() }
var credentials: Credentials { given() }
var head: RequestHead { given() }
var body: [UInt8] { given() }

struct MyService: DeveloperProvider {
  var name: String { given() }
  func refresh(identityID: String?, logins: [String: String]) async throws(IdentityClientError)
    -> IdentityCalls.IdentityToken
  { given() }
}
