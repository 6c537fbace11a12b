import SigV4

var head: RequestHead { given() }
var body: [UInt8] { given() }
var keys: KeyStore { given() }

struct KeyStore {
  func find(_ accessKeyID: String) async -> VerificationKey? { given() }
}

func serve(_ accessKeyID: String) {}
func log(_ code: String, _ sentence: String) {}
func respond(_ status: Int, _ code: String, _ message: String) {}

var policy: VerifierPolicy {
  get { given() }
  set {}
}

var pending: PendingRequest { given() }
var key: VerificationKey { given() }
var request: Request { given() }

struct Request {
  var body: AsyncStream<[UInt8]>
}

var clientAddress: String { given() }
func change(_ request: VerifiedRequest<some BoundBody>) async throws -> [UInt8] { given() }

func store(_ bytes: [UInt8]) {}
