import OneTimeCodes

// Once for each user: a secret, which an authenticator app reads from this URI as a QR code.
let secret = try OTPSecret.random()
let uri = try OTPAuthURI(issuer: "Example", account: "alice@example.org", secret: secret)
print(uri.text().unwipedText() ?? "")

// At each sign-in: store the state (Codable) before the user is let in. It makes a code serve once.
let totp = try TOTP(secret: secret)
var state = TOTP.State()
let typed = try totp.code()  // what the user types
state = try totp.verify(typed, state: state).state
do {
  state = try totp.verify(typed, state: state).state
} catch {
  print(error.codeText)  // code_used
}
