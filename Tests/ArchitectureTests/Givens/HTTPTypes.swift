import HTTPTypes
import SigV4

var signer: Signer { given() }
var body: [UInt8] { given() }
var credentials: Credentials { given() }
var request: HTTPRequest {
  get { given() }
  set {}
}
