import CognitoSync
import ServiceOperations
import TokenSecurityCrypto

var store: any RecordStore { given() }
var sealing: SealingKeys { given() }
var master: SecretBytes { given() }
var outbox: PushOutbox { given() }
var sender: any PushSender { given() }
var operations: SyncOperations { given() }
var requestHead: OperationRequestHead { given() }
var body: [UInt8] { given() }
var caller: IdentityPoolOperations.Caller { given() }
var requestID: String { given() }
var address: String { given() }
