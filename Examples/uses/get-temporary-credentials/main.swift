import AsyncHTTPTransport
import CognitoIdentityClient
import SigV4

// The service's address, an identity pool and a user's ID token.
let arguments = CommandLine.arguments

// For Amazon's pools: try IdentityCalls(region: "eu-west-1", transport: HTTPClientTransport()).
let calls = IdentityCalls(
  endpoint: try IdentityEndpoint(address: arguments[1], region: "us-east-1"),
  transport: HTTPClientTransport())
let found = try await calls.credentials(forIDToken: arguments[3], poolID: arguments[2])
print("Identity \(found.identityID) until \(found.expiration)")

// They sign requests.
let signer = try Signer(service: "s3", region: "us-east-1")
let signed = try signer.sign("GET", "https://bucket.s3.amazonaws.com/key", with: found.credentials)
print(signed.head["Authorization"] ?? "")
