internal import SecureRemotePassword
internal import ServiceOperations
internal import TokenSecurityBase
public import TokenSecurityCrypto

/// A sign-in that waits for the password.
public struct PasswordStep: ~Copyable, Sendable {
  private let machine: SignInMachine.Box
  private let method: PasswordMethod

  /// The user's name as it was typed.
  public var username: String { machine.value.username }

  init(_ machine: SignInMachine, _ method: PasswordMethod) {
    self.machine = SignInMachine.Box(machine)
    self.method = method
  }

  /// Proves the password. A remembered device is proved in the same call.
  ///
  /// - Parameter password: the password, 1 to 4,096 bytes of UTF-8.
  /// - Returns: the next step; this one again for a wrong password, too many attempts, and passing failures.
  /// - Throws: `refused` for users who may not sign in (`UserNotFoundException`,
  ///   `UserNotConfirmedException`, `PasswordResetRequiredException`), and for flows that the app client does
  ///   not allow; `signInFailed`, `responseMalformed`.
  public consuming func answer(
    _ password: borrowing SecretBytes
  ) async throws(UserPoolClientError) -> SignInOutcome {
    var machine = machine.value
    var method = method
    do throws(UserPoolClientError) {
      while true {
        let output = try await machine.prove(password, by: method)
        switch try await machine.advance(output) {
        case .step(let step): return .next(step)
        // A device that the pool does not accept is forgotten, so that this ends.
        case .startOver: method.challenge = nil
        }
      }
    } catch {
      guard error.allowsAnotherPassword else { throw error }
      // A refused proof has used its session up: another one begins anew.
      method.challenge = nil
      return .again(.password(PasswordStep(machine, method)), error)
    }
  }
}

/// How a password gets to the service.
struct PasswordMethod: Sendable {
  /// The flow that begins with it.
  let flow: AuthFlowType
  let isSRP: Bool
  /// The challenge that asks for it; nil to begin with a request of its own.
  var challenge: ChallengeNameType?

  init(_ flow: AuthFlowType, isSRP: Bool, in challenge: ChallengeNameType? = nil) {
    self.flow = flow
    self.isSRP = isSRP
    self.challenge = challenge
  }

  /// The parameters beside the proof.
  fileprivate var parameters: [ExactString: SecretText] {
    let factor = isSRP ? FirstFactor.passwordSRP : .password
    switch (flow, challenge) {
    case (.userAuth, nil): return ["PREFERRED_CHALLENGE": SecretText(factor.name)]
    case (_, .selectChallenge): return ["ANSWER": SecretText(factor.name)]
    case (.customAuth, _): return ["CHALLENGE_NAME": SecretText("SRP_A")]
    default: return [:]
    }
  }
}

extension SignInMachine {
  /// Proves a password.
  ///
  /// - Returns: what follows it.
  fileprivate mutating func prove(
    _ password: borrowing SecretBytes, by method: PasswordMethod
  ) async throws(UserPoolClientError) -> AuthOutput {
    guard (1...4_096).contains(password.count) else {
      throw .inputInvalid(rule: "a password has 1 to 4,096 bytes")
    }
    guard method.isSRP else {
      return try await begin(method, "PASSWORD", try password.asMember())
    }
    let proof: CognitoPasswordSignIn
    do throws(SRPError) {
      proof = try CognitoPasswordSignIn(
        userPoolID: calls.pool.id, client: calls.pool.client, username: username)
    } catch { throw .signInFailed(error) }
    let publicKey = SecretText(proof.request.parameters["SRP_A"] ?? "")
    let output = try await begin(method, "SRP_A", publicKey)
    // A custom flow can begin with a challenge of its own, and one of choice with another factor.
    guard output.challengeName == .passwordVerifier else { return output }
    let challenge = try await note(output)
    let response: CognitoParameters
    do throws(SRPError) {
      response = try proof.respond(to: challenge.srp(session: session), password: password).responses
    } catch { throw .signInFailed(error) }
    return try await respond(.passwordVerifier, response.members)
  }

  private mutating func begin(
    _ method: PasswordMethod, _ name: ExactString, _ value: SecretText
  ) async throws(UserPoolClientError) -> AuthOutput {
    var parameters = method.parameters
    parameters[name] = value
    guard let challenge = method.challenge else { return try await initiate(method.flow, parameters) }
    return try await respond(challenge, parameters)
  }
}
