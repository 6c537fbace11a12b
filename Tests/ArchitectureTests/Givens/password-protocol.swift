import CognitoSRP

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
var sealingKey: SecretBytes { given() }
var body: [UInt8] { given() }
var store: UserStore { given() }
var lockout: CognitoLockout { given() }

struct UserStore {
  func canonical(_ name: String) -> String { given() }
  func user(_ name: String) async -> CognitoUserRecord? { given() }
}
