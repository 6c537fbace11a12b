import AsyncHTTPTransport
import CognitoIdentity
import CognitoIdentityClient
import CognitoSync
import CognitoSyncClient
import CognitoUserPoolClient
import CurlTransport
import HTTPExchange
import HTTPTypes
import OTPQRCode
import OpenIDConnect
import PasswordPreparation
import RecordsSQLite
import SecureRemotePassword
import SigV4
import SigV4Credentials

let transport = HTTPClientTransport()
_ = CurlHTTPTransport()
let pool = try TrustedIssuer.cognitoUserPool(
  "eu-west-1_Example01", use: .access, clientIDs: ["1h57kf5cpq17m0eml12EXAMPLE"])
_ = try OpenIDVerifier([pool], transport: transport)
let store = try IdentityDatabase.open(path: "identities.sqlite")
try await store.close()
_ = IdentityCalls(endpoint: try IdentityEndpoint(region: "eu-west-1"), transport: transport)
let credentials: RefreshingCredentials = .standard(transport: transport)
var request = HTTPRequest(method: .get, scheme: "https", authority: "api.example", path: "/")
_ = try RequestHead(request)
let text = SecretBytes(Array("otpauth://totp/Example".utf8).span)
_ = try QRCode(text)
_ = try SASLprep.prepare(SecretBytes(Array("pencil".utf8).span), for: .stored)
_ = StaticCredentials(
  try Credentials(
    accessKeyID: "AKIDEXAMPLE", secretAccessKey: SecretBytes(Array("secret".utf8).span)))
_ = try CognitoAppClient(id: "1h57kf5cpq17m0eml12EXAMPLE")
_ = UserPoolClient(
  pool: try UserPool(id: "eu-west-1_Example01", clientID: "1h57kf5cpq17m0eml12EXAMPLE"), transport: transport)
print("sixteen libraries linked")
