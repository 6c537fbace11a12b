import SigV4Credentials

var signer: Signer { given() }
var head: RequestHead { given() }
var body: [UInt8] { given() }
