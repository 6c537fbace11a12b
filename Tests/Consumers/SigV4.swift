import SigV4

let signer = try Signer(service: "execute-api", region: "eu-west-1")
let credentials = try Credentials(
  accessKeyID: "AKIDEXAMPLE",
  secretAccessKey: SecretBytes(Array("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY".utf8).span))
let head = RequestHead(method: "GET", path: Array("/".utf8), headers: [HeaderField("Host", "api.example")])
let signed = try signer.sign(head, with: credentials)
print("signed with", signed.head["Authorization"]?.prefix(16) ?? "")
