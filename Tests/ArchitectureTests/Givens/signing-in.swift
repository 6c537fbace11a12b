import CognitoIdentityClient
import CognitoUserPoolClient
import SigV4

var sessionFile: String { given() }
var screen: any SignInDelegate { given() }
var password: SecretBytes { given() }
var newPassword: SecretBytes { given() }
var identityPool: String { given() }
var request: RequestHead { given() }
var body: [UInt8] { given() }
var signedIn: SignedIn { given() }

func show(_ text: String) {}
func show(_ text: borrowing SecretBytes) {}
func ask(_ question: String, _ proposal: String? = nil) async -> String { given() }
func askSecretly(_ question: String) async -> SecretBytes { given() }

func close(_ step: SignInStepKind) {}

var secretFile: String { given() }
var endpointFile: String { given() }

struct Unsupported: Error {}
