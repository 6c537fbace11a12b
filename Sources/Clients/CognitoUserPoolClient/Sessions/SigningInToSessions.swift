public import TokenLifetime
internal import TokenSecurityBase
public import TokenSecurityCrypto

// Sign-ins whose tokens and devices are kept.
extension UserPoolSessions {
  /// Begins a sign-in. The remembered device of the user takes part, and a new one is kept.
  ///
  /// - Parameters:
  ///   - username: the user's name or alias.
  ///   - options: how the sign-in begins. Default: with a password by SRP.
  /// - Returns: what the sign-in waits for. At the end it is for ``keep(_:at:)``.
  /// - Throws: `inputInvalid`, `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  public nonisolated func signIn(
    username: String, options: SignInOptions = SignInOptions()
  ) async throws(UserPoolClientError) -> SignInStep {
    try await client.signIn(username: username, options: options, devices: self)
  }

  /// Begins a sign-in, and answers its first step with a password.
  ///
  /// - Parameters:
  ///   - username: the user's name or alias.
  ///   - password: the password.
  ///   - options: how the sign-in begins. Default: with a password by SRP.
  /// - Returns: what the sign-in waits for: usually nothing, or a second factor.
  /// - Throws: `refused` for a wrong password; `inputInvalid` if the sign-in does not begin with a password;
  ///   `responseMalformed`, `unreachable`, `signInFailed`, `cancelled`.
  public nonisolated func signIn(
    username: String, password: borrowing SecretBytes, options: SignInOptions = SignInOptions()
  ) async throws(UserPoolClientError) -> SignInStep {
    try await client.signIn(username: username, options: options, devices: self).answered(password).next()
  }

  /// Signs a user in whose password is all that the pool asks for, and keeps the session.
  ///
  ///     let tokens = try await sessions.tokens(username: "jane", password: password)
  ///
  /// - Parameters:
  ///   - username: the user's name or alias.
  ///   - password: the password.
  ///   - options: how the sign-in begins. Default: with a password by SRP.
  /// - Returns: the verified tokens.
  /// - Throws: `refused` for a wrong password; `signInIncomplete` where the sign-in waits for more; the errors of
  ///   ``signIn(username:password:options:)`` and ``keep(_:at:)``.
  @discardableResult
  public func tokens(
    username: String, password: borrowing SecretBytes, options: SignInOptions = SignInOptions()
  ) async throws(UserPoolClientError) -> UserPoolTokens {
    let step = try await signIn(username: username, password: password, options: options)
    return try await keep(step.signedIn())
  }

  /// Signs a user in, asks a delegate for what each step wants, and keeps the session.
  ///
  /// - Parameters:
  ///   - delegate: answers the steps.
  ///   - username: the user's name or alias. Default: the delegate is asked for it, and is shown the last name.
  ///   - options: how the sign-in begins. Default: with a password by SRP.
  /// - Returns: the verified tokens.
  /// - Throws: `cancelled` if the delegate gives up; the error of a step that is not to be tried again; the errors
  ///   of ``keep(_:at:)``.
  @discardableResult
  public func signIn(
    delegate: some SignInDelegate, username: String? = nil, options: SignInOptions = SignInOptions()
  ) async throws(UserPoolClientError) -> UserPoolTokens {
    let end = try await client.signIn(
      delegate: delegate, username: username, lastUsername: lastUsername, options: options, devices: self)
    let signedIn = await confirmingDevice(of: end)
    let tokens = try await kept(signedIn, delegate)
    if case .new(let key, needsConsent: true) = signedIn.device, await delegate.remembersDevice() {
      await remember(key, tokens, delegate)
    }
    return tokens
  }

  /// Verifies and keeps tokens. If the keys cannot be fetched, the delegate decides: the whole sign-in would be lost.
  private func kept(
    _ signedIn: SignedIn, _ delegate: some SignInDelegate
  ) async throws(UserPoolClientError) -> UserPoolTokens {
    while true {
      do throws(UserPoolClientError) { return try await keepSession(of: signedIn, at: .now) } catch {
        guard case .unreachable = error, !Task.isCancelled, await delegate.stepFailed(.tokens, error) else {
          throw error
        }
      }
    }
  }

  /// Lets the pool remember a device. The user is signed in in any case: a failure is the delegate's.
  private func remember(_ key: String, _ tokens: UserPoolTokens, _ delegate: some SignInDelegate) async {
    while true {
      do throws(UserPoolClientError) {
        return try await client.updateDevice(key, isRemembered: true, accessToken: tokens.accessToken)
      } catch {
        guard error != .cancelled, await delegate.stepFailed(.device, error) else { return }
      }
    }
  }

  /// Verifies and keeps the tokens of a sign-in. Their user is the current one from now on.
  ///
  /// A new device that is not confirmed yet is confirmed first: without that the pool refuses the refresh token. A
  /// failure of the confirmation is not thrown.
  ///
  /// - Parameters:
  ///   - signedIn: the end of a sign-in.
  ///   - now: the current time.
  /// - Returns: the verified tokens.
  /// - Throws: `tokenRefused`, `unreachable`, `cancelled`: the session before stays. `storeUnavailable`: the user is
  ///   signed in, and the session is stored later.
  @discardableResult
  public func keep(
    _ signedIn: SignedIn, at now: Timestamp = .now
  ) async throws(UserPoolClientError) -> UserPoolTokens {
    _ = await confirmingDevice(of: signedIn)
    return try await keepSession(of: signedIn, at: now)
  }

  private func keepSession(
    of signedIn: SignedIn, at now: Timestamp
  ) async throws(UserPoolClientError) -> UserPoolTokens {
    try await keep(signedIn.tokens, deviceKey: signedIn.device.key, typed: signedIn.username, at: now)
  }

  /// Confirms the device of a sign-in, unless that has been done.
  private func confirmingDevice(of signedIn: SignedIn) async -> SignedIn {
    guard let new = signedIn.newDevice, device(username: new.username)?.key != new.key else {
      return signedIn
    }
    return await client.calls.confirmingDevice(of: signedIn, in: self)
  }
}
