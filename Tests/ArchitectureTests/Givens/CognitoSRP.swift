import SecureRemotePassword

var pool: String { given() }
var app: CognitoAppClient { given() }
var name: String { given() }
var password: SecretBytes { given() }
var challenge: CognitoChallenge { given() }

func call(_ operation: String, _ json: [UInt8]) async -> [UInt8] { given() }

var record: CognitoSRPRecord { given() }
var context: [String] { given() }
var a: [UInt8] { given() }
var signature: [UInt8] { given() }
var block: [UInt8] { given() }
var timestamp: String { given() }
