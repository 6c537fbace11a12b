import CognitoSRP

var pool: String { given() }
var app: CognitoAppClient { given() }
var name: String { given() }
var password: SecretBytes { given() }
var challenge: CognitoChallenge { given() }

func call(_ operation: String, _ json: [UInt8]) async -> [UInt8] { given() }

var simulatedUsers: CognitoSimulatedUsers { given() }
var blocks: any CognitoSecretBlocks { given() }
var server: CognitoSignInServer { given() }
var request: CognitoAuthRequest { given() }
var response: CognitoChallengeResponse { given() }
var record: CognitoUserRecord { given() }
