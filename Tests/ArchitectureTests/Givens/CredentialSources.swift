import SigV4

var signer: Signer { given() }
var head: RequestHead { given() }
var body: [UInt8] { given() }
