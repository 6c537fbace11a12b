// error: 'init(service:region:)' is unavailable: write VerifierPolicy(service:region:hosts: .oneOf(["api.example.com"]))
import SigV4

let policy = VerifierPolicy(service: "s3", region: "us-east-1")
