import CognitoIdentity

var token: String { given() }

var sessions: SessionTokens { given() }
var verifier: RequestVerifier { given() }
var head: RequestHead { given() }
var body: [UInt8] { given() }
