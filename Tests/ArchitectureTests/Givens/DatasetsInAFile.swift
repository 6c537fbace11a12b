import CognitoSyncClient

var provider: IdentityProvider { given() }
var endpoint: SyncEndpoint { given() }
var transport: any HTTPTransport { given() }
var folder: String { given() }
