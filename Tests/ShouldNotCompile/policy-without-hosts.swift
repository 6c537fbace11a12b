// error: missing argument for parameter 'hosts' in call
import SigV4

let policy = VerifierPolicy(service: "s3", region: "us-east-1")
