import CognitoSyncClient

var provider: IdentityProvider { given() }
var transport: any HTTPTransport { given() }
var datasets: SyncDatasets { given() }
var dataset: Dataset { given() }
var position: DatasetPosition { given() }
var payload: [UInt8] { given() }

var endpoint: SyncEndpoint { given() }
var folder: String { given() }
