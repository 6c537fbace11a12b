import CognitoUserPool
import ServiceOperations

var service: UserPoolService { given() }
var requestHead: OperationRequestHead { given() }
var body: [UInt8] { given() }
var isSigned: Bool { given() }
var requestID: String { given() }
