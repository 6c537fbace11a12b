import CognitoIdentityClient
import CognitoUserPoolClient

var transport: any HTTPTransport { given() }
var client: UserPoolClient { given() }
var path: String { given() }
var screen: Screen { given() }
var password: SecretBytes { given() }
var signedIn: SignedIn { given() }
var sessions: UserPoolSessions { given() }
var store: any SessionStore { given() }
var identityPool: String { given() }
var calls: IdentityCalls { given() }

struct Unsupported: Error {}

func show(_ error: any Error) {}
func askForCode() async -> String { given() }
func passwordSheet(_ name: String?) async -> UserPassword? { given() }
func codeSheet(_ source: CodeSource) async -> String? { given() }
func alert(_ text: String) async -> Bool { given() }

struct Screen: SignInDelegate {
  func password(lastUsername: String?) async -> UserPassword? { given() }
  func code(from source: CodeSource) async -> String? { given() }
}
