import SecureRemotePassword

var parameters: SRPParameters { given() }
var name: [UInt8] { given() }
var password: SecretBytes { given() }
var record: SRPVerifier { given() }

var salt: [UInt8] { given() }
var a: [UInt8] { given() }
var b: [UInt8] { given() }
var m1: [UInt8] { given() }
var m2: [UInt8] { given() }

func send(_ values: [UInt8]...) {}
