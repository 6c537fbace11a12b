import SigV4

let credentials = try Credentials(
  accessKeyID: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: SecretBytes("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"))
let signer = try Signer(service: "execute-api", region: "eu-west-1")

let signed = try signer.sign("GET", "https://api.example.com/items?limit=10", with: credentials)
for header in signed.head.headers {
  print("\(header.name): \(String(decoding: header.value, as: UTF8.self))")
}
