import Foundation
import SigV4

// The callers that you know. For long-lived keys the secrets are enough: let known = ["AKIA…": "secret"].
let caller = try Credentials(
  accessKeyID: "ASIAIOSFODNN7EXAMPLE",
  secretAccessKey: SecretBytes("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
  sessionToken: "AQoDYXdzEJr")
let known = [caller.accessKeyID: caller]

// Once. A request that is sent again is refused.
let verifier = try RequestVerifier(
  policy: VerifierPolicy(
    service: "execute-api", region: "eu-west-1", hosts: .oneOf(["api.example.com"])),
  replays: ReplayCache())

// For each request, as it was received.
let raw = [UInt8](FileHandle.standardInput.readDataToEndOfFile())
do {
  let request = try verifier.verify(HTTPMessage(parsing: raw)) { id in known[id] }
  print("signed by \(request.accessKeyID)")
} catch {
  print("\(error.response.status) \(error.codeText): \(error)")
}
