import SigV4

let secrets = ["AKIAIOSFODNN7EXAMPLE": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"]

// Once. A request that is sent again is refused.
let verifier = try RequestVerifier(
  policy: VerifierPolicy(
    service: "execute-api", region: "eu-west-1", hosts: .oneOf(["api.example.com"])),
  replays: ReplayCache())

// For each request, as it was received.
var raw: [UInt8] = []
while let line = readLine() { raw += Array("\(line)\r\n".utf8) }
do {
  let request = try verifier.verify(HTTPMessage(parsing: raw)) { id in secrets[id] }
  print("signed by \(request.accessKeyID)")
} catch {
  print("\(error.response.status) \(error.codeText): \(error)")
}
