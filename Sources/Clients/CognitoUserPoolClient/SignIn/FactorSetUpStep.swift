internal import ServiceOperations
internal import TokenSecurityBase

/// A sign-in of a user who must set a second factor up (`MFA_SETUP`).
public struct FactorSetUpStep: ~Copyable, Sendable {
  /// The factors that the pool allows. Those that this module does not know are left out.
  ///
  /// An authenticator app is set up here. A phone number or an e-mail address is an attribute that an
  /// administrator sets, after which the user signs in again.
  public let available: [MFAMethod]
  private let machine: SignInMachine.Box
  private let offered: [String]

  init(_ machine: SignInMachine, offered: [String]) {
    self.machine = SignInMachine.Box(machine)
    self.offered = offered
    available = offered.compactMap { MFAMethod(offered: $0) }
  }

  /// Asks for the secret of an authenticator app (`AssociateSoftwareToken`).
  ///
  /// - Returns: the step with the secret; this one again where authenticator apps are not available, and for
  ///   passing failures.
  /// - Throws: `refused`, `responseMalformed`.
  public consuming func setUpSoftwareToken() async throws(UserPoolClientError) -> SignInOutcome {
    var machine = machine.value
    let (session, offered) = (machine.session, offered)
    do throws(UserPoolClientError) {
      guard available.contains(.softwareToken) else {
        throw .inputInvalid(rule: "the pool does not allow authenticator apps")
      }
      let output = try await machine.calls.call(AssociateSoftwareToken.self) { $0.session = session }
      let secret = try machine.calls.present(output.secretCode, "SecretCode")
      machine.replaceSession(output.session)
      return .next(.setUpSoftwareToken(try SoftwareTokenSetUpStep(machine, secret)))
    } catch {
      guard error.leavesSession else { throw error }
      return .again(.setUpFactor(FactorSetUpStep(machine, offered: offered)), error)
    }
  }
}

/// A sign-in that waits for the first code of an authenticator app.
public struct SoftwareTokenSetUpStep: ~Copyable, Sendable {
  /// The secret, to be shown to the user.
  public let secret: SoftwareTokenSecret
  private let machine: SignInMachine.Box
  private let text: SecretText
  /// True once the code was right: then only the challenge's answer is missing.
  private let isVerified: Bool

  init(
    _ machine: SignInMachine, _ text: SecretText, isVerified: Bool = false
  ) throws(UserPoolClientError) {
    secret = try SoftwareTokenSecret(text)
    self.machine = SignInMachine.Box(machine)
    self.text = text
    self.isVerified = isVerified
  }

  /// Proves that the app has the secret (`VerifySoftwareToken`), and continues.
  ///
  /// - Parameters:
  ///   - code: the app's code, six digits.
  ///   - deviceName: a name of the user's device. Default: none.
  /// - Returns: the next step; this one again for a wrong code, and for passing failures.
  /// - Throws: `refused`, `responseMalformed`, `signInFailed`; `unreachable` and `cancelled` for a failure after
  ///   the factor was set up.
  public consuming func answer(
    _ code: String, deviceName: String? = nil
  ) async throws(UserPoolClientError) -> SignInOutcome {
    var machine = machine.value
    let text = text
    var isVerified = isVerified
    let output: AuthOutput
    do throws(UserPoolClientError) {
      if !isVerified {
        let session = machine.session
        machine.replaceSession(
          try await machine.calls.verifySoftwareToken(code, deviceName: deviceName) {
            $0.session = session
          })
        isVerified = true
      }
      output = try await machine.respond(.mfaSetup, [:])
    } catch {
      guard error.leavesSession else { throw error }
      let same = try SoftwareTokenSetUpStep(machine, text, isVerified: isVerified)
      return .again(.setUpSoftwareToken(same), error)
    }
    return .next(try await machine.next(after: output))
  }
}
