import CognitoUserPool
import ServiceOperations

var service: UserPoolService { given() }
var requestHead: OperationRequestHead { given() }
var body: [UInt8] { given() }
var caller: CallContext.Caller { given() }
var requestID: String { given() }
