import CognitoIdentity
import JOSE
import Records
import TokenSecurityCrypto

struct KeyManagement {
  func generateDataKeyPair() async throws -> SecretBytes { given() }
}

struct Server {
  func run() async throws {}
}

var keyManagement: KeyManagement { given() }
var server: Server { given() }
var store: any RecordStore { given() }
var storage: IdentityKeyStorage { given() }
