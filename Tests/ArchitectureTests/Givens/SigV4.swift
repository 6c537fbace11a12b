import SigV4

var head: RequestHead { given() }
var body: [UInt8] { given() }
var credentials: Credentials { given() }
var signed: SignedRequest { given() }
var upload: AsyncStream<[UInt8]> { given() }
var piece: [UInt8] { given() }

var verifier: RequestVerifier { given() }
var pending: PendingRequest { given() }
var key: VerificationKey { given() }
var keys: KeyStore { given() }
var pieces: AsyncStream<[UInt8]> { given() }

struct KeyStore {
  func find(_ accessKeyID: String) async -> VerificationKey? { given() }
}

func send(_ bytes: [UInt8]) {}
func store(_ bytes: [UInt8]) {}
