import CognitoIdentity
import OpenIDConnect

var store: any IdentityStore { given() }
var sealing: SealingKeys { given() }
var transport: any HTTPTransport { given() }
var pool: IdentityPool { given() }
var token: String { given() }

var sessions: SessionTokens { given() }
var verifier: RequestVerifier { given() }
var head: RequestHead { given() }
var body: [UInt8] { given() }
