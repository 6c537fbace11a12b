import CognitoUserPoolClient

/// The user's account: from sign-up to a sign-in with a second factor.
struct Account {
  let sessions: UserPoolSessions
  let questions: any Questions

  /// Signs a user in who is not signed in yet, after a sign-up if the user is new.
  func signIn() async throws {
    if await sessions.currentUsername == nil {
      let isNew = !(await questions.isYes(.hasAccount))
      if isNew { try await signUp() }
      // A new user has no second factor that the computer could replace.
      try await signIn(asksToRemember: !isNew)
    }
    // Verified, and refreshed if they are about to expire.
    let tokens = try await sessions.tokens()
    print("signed in as \(tokens.username) until \(tokens.expiration)")
  }

  private func signIn(asksToRemember: Bool) async throws {
    let screen = Screen(questions: questions, asksToRemember: asksToRemember)
    try await sessions.signIn(delegate: screen, options: SignInOptions(deviceName: "sign-in example"))
  }

  private func signUp() async throws {
    guard let name = await questions.answer(.username(last: nil)), let email = await questions.answer(.email),
      let password = await questions.password()
    else { throw UserPoolClientError.cancelled }
    let result = try await sessions.client.signUp(
      username: name, password: password, attributes: [.email(email)])
    print("signed up as \(name)")
    guard !result.isConfirmed, let delivery = result.delivery else { return }
    while true {
      guard let code = await questions.code(from: .message(delivery)) else {
        throw UserPoolClientError.cancelled
      }
      do {
        try await sessions.client.confirmSignUp(username: name, code: code)
        return print("confirmed with a code that was sent to \(delivery.destination)")
      } catch {
        print(error)
        guard await questions.isYes(.tryAgain) else { throw error }
      }
    }
  }

  /// Sets an authenticator app up, if the user wants one and has none, and signs in with it.
  func setUpAuthenticator() async throws {
    let client = sessions.client
    let tokens = try await sessions.tokens()
    let preference = try await client.mfaPreference(accessToken: tokens.accessToken)
    guard !preference.enabled.contains(.softwareToken), await questions.isYes(.setUpAuthenticator) else {
      return
    }
    let secret = try await client.associateSoftwareToken(accessToken: tokens.accessToken)
    try await questions.take(secret, account: tokens.username)
    guard let code = await questions.code(from: .softwareToken(deviceName: nil)) else { return }
    try await client.verifySoftwareToken(code: code, deviceName: "phone", accessToken: tokens.accessToken)
    try await client.setMFAPreference(softwareToken: .preferred, accessToken: tokens.accessToken)
    print("the authenticator app is on")

    // The pool asks for a code, unless it remembers the computer already.
    try await sessions.signOut()
    try await signIn(asksToRemember: false)
    print("signed in again")
    guard let device = try await sessions.deviceKey(of: tokens.username),
      await questions.isYes(.rememberDevice)
    else { return }
    let newer = try await sessions.tokens()
    try await client.updateDevice(device, isRemembered: true, accessToken: newer.accessToken)

    // Now the computer takes the place of the code.
    try await sessions.signOut()
    try await signIn(asksToRemember: false)
    print("signed in on the remembered computer \(device)")
  }
}
