import SecureRemotePassword

var password: SecretBytes { given() }
var name: [UInt8] { given() }
var parameters: SRPParameters { given() }
