import SecureRemotePassword

var typed: [UInt8] {
  get { given() }
  set {}
}
var clientID: String { given() }
var clientSecret: SecretBytes { given() }
var name: String { given() }
var device: CognitoRememberedDevice { given() }

func call(_ operation: String, _ json: [UInt8]) async -> [UInt8] { given() }

var poolID: String { given() }
var falseKey: SecretBytes { given() }
var username: String { given() }
var srpA: String { given() }
var signature: [UInt8] { given() }
var timestamp: String { given() }
var cipher: BlockCipher { given() }
var store: UserStore { given() }
var lockout: CognitoLockout { given() }

struct BlockCipher {
  func seal(_ bytes: borrowing SecretBytes, until end: Timestamp) throws -> [UInt8] { given() }
  func open(_ block: [UInt8], at now: Timestamp) throws -> SecretBytes { given() }
}

struct UserStore {
  func canonical(_ name: String) -> String { given() }
  func record(_ name: String) async -> CognitoSRPRecord? { given() }
  func isFirstUse(of block: [UInt8]) async -> Bool { given() }
}
