import SigV4

let credentials = try Credentials(
  accessKeyID: "ASIAIOSFODNN7EXAMPLE",
  secretAccessKey: SecretBytes("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
  sessionToken: "AQoDYXdzEJr")  // nil for long-lived credentials
let signer = try Signer(service: "execute-api", region: "eu-west-1")

let signed = try signer.sign(
  "POST", "https://api.example.com/items", headers: ["Content-Type": "application/json"],
  body: Array(#"{"name":"x"}"#.utf8), with: credentials)
for header in signed.head.headers {
  print("\(header.name): \(String(decoding: header.value, as: UTF8.self))")
}

// As a URL that works for five minutes.
let presigned = try signer.presign(
  "GET", "https://api.example.com/items", expiresIn: .seconds(300), with: credentials)
print(presigned.url)
