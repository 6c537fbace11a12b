import CognitoIdentity
import HTTPExchange
import ServiceOperations

var token: String { given() }
var secret: SecretText { given() }
var transport: any HTTPTransport { given() }

var sessions: SessionTokens { given() }
var verifier: RequestVerifier { given() }
var head: RequestHead { given() }
var body: [UInt8] { given() }

var service: IdentityPoolService { given() }
var requestHead: OperationRequestHead { given() }
var caller: IdentityPoolOperations.Caller { given() }
var requestID: String { given() }
var address: String { given() }
