import CognitoSync

var transport: any HTTPTransport { given() }
var store: any RecordStore { given() }
var secrets: SyncSecrets { given() }
