import AWSCredentials
import CognitoIdentity
import CognitoIdentityClient
import CognitoIdentityClientHTTP
import CognitoIdentitySQLite
import CognitoSRP
import OTPQRCode
import OpenIDConnect
import OpenIDConnectHTTP
import PasswordPreparation
import SigV4Credentials
import SigV4HTTPTypes

let pool = try TrustedIssuer.cognitoUserPool(
  "eu-west-1_Example01", use: .access, clientIDs: ["1h57kf5cpq17m0eml12EXAMPLE"])
_ = try OpenIDVerifier([pool], fetcher: AsyncHTTPFetcher())
let store = try SQLiteIdentityStore(path: "identities.sqlite")
try store.close()
_ = IdentityCalls(endpoint: try IdentityEndpoint(region: "eu-west-1"), transport: HTTPIdentityTransport())
_ = HTTPTransport()
var request = HTTPRequest(method: .get, scheme: "https", authority: "api.example", path: "/")
_ = try RequestHead(request)
let text = SecretBytes(Array("otpauth://totp/Example".utf8).span)
_ = try QRCode(text)
_ = try SASLprep.prepare(SecretBytes(Array("pencil".utf8).span), for: .stored)
_ = StaticCredentials(
  try Credentials(
    accessKeyID: "AKIDEXAMPLE", secretAccessKey: SecretBytes(Array("secret".utf8).span)))
_ = try CognitoAppClient(id: "1h57kf5cpq17m0eml12EXAMPLE")
print("twelve libraries linked")
