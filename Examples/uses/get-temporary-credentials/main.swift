import AsyncHTTPTransport
import CognitoIdentityClient

// The service's address, an identity pool and a user's ID token.
let arguments = CommandLine.arguments

// For Amazon's pools: IdentityCalls(region: "eu-west-1", transport: HTTPClientTransport()).
let calls = IdentityCalls(
  endpoint: try IdentityEndpoint(address: arguments[1], region: "us-east-1"),
  transport: HTTPClientTransport())
let found = try await calls.credentials(forIDToken: arguments[3], poolID: arguments[2])
print("Identity \(found.identityID)")
print("Access key \(found.credentials.accessKeyID)")
