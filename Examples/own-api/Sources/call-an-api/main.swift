import AsyncHTTPTransport
import CognitoIdentityClient
import HTTPExchange
import SigV4

// The service's address and the URL of an object. A user's identity and token are on standard input.
let arguments = CommandLine.arguments
let words = (readLine() ?? "").split(separator: " ").map(String.init)
let transport = HTTPClientTransport()
let calls = IdentityCalls(
  endpoint: try IdentityEndpoint(address: arguments[1], region: "us-east-1"), transport: transport)
let found = try await calls.credentials(
  for: words[0], logins: ["cognito-identity.amazonaws.com": words[1]])

let signer = try Signer(service: "s3", region: "us-east-1")
let signed = try signer.sign("GET", arguments[2], with: found.credentials)
var fields = TransportHeaders()
for field in signed.head.headers { fields.append(field.name, String(decoding: field.value, as: UTF8.self)) }
let limits = TransportLimits(timeout: .seconds(10), responseSize: 1 << 20)
let response = try await transport.send(
  TransportRequest(url: try HTTPURL(arguments[2]), headers: fields, limits: limits))
print(response.status, String(decoding: response.body, as: UTF8.self))
