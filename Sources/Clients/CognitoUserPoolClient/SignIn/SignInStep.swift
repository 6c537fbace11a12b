internal import TokenSecurityBase

/// The input that a sign-in waits for.
///
///     var step = try await client.signIn(username: "jane")
///     signIn: while true {
///       let outcome: SignInOutcome
///       switch consume step {
///       case .password(let step): outcome = try await step.answer(password)
///       case .softwareTokenCode(let step): outcome = try await step.answer(await askForCode())
///       case .done(let signedIn):
///         try await sessions.keep(signedIn)
///         break signIn
///       default: throw Unsupported()
///       }
///       switch consume outcome {
///       case .next(let next): step = next
///       case .again(let same, let error):     // the answer was wrong
///         show(error)
///         step = same
///       }
///     }
///
/// Each step is a value with one method, which consumes it: the compiler rejects a second answer to a step that
/// is over. A wrong answer gives the step back.
@nonexhaustive public enum SignInStep: ~Copyable, Sendable {
  /// The password.
  case password(PasswordStep)
  /// A code that was sent in a text message.
  case smsCode(CodeStep)
  /// A code that was sent in an e-mail.
  case emailCode(CodeStep)
  /// A code of the user's authenticator app.
  case softwareTokenCode(CodeStep)
  /// The choice of a second factor.
  case chooseFactor(FactorChoiceStep)
  /// The user must set a second factor up.
  case setUpFactor(FactorSetUpStep)
  /// The first code of an authenticator app that is being set up.
  case setUpSoftwareToken(SoftwareTokenSetUpStep)
  /// A new password instead of a temporary one.
  case newPassword(NewPasswordStep)
  /// The answer to a challenge of the pool's triggers.
  case custom(CustomStep)
  /// The choice of a first factor.
  case chooseFirstFactor(FirstFactorStep)
  /// Nothing: the user is signed in.
  case done(SignedIn)
}

extension SignInStep {
  /// The end of the sign-in, for programs that expect no further step.
  ///
  /// - Returns: the sign-in.
  /// - Throws: `signInIncomplete` where the sign-in waits for more.
  public consuming func signedIn() throws(UserPoolClientError) -> SignedIn {
    let kind = kind
    switch consume self {
    case .done(let signedIn): return signedIn
    default: throw .signInIncomplete(kind)
    }
  }
}

/// Result of an answer that did not end the sign-in.
public enum SignInOutcome: ~Copyable, Sendable {
  /// The answer was right, and this is the next step.
  case next(SignInStep)
  /// The answer had no success for this reason, and the step is still open: a wrong password or code, a new
  /// password against the policy, a failed connection, a cancelled task.
  case again(SignInStep, UserPoolClientError)

  /// The next step, where another attempt is not wanted.
  ///
  /// - Returns: the next step.
  /// - Throws: why the answer had no success.
  public consuming func next() throws(UserPoolClientError) -> SignInStep {
    switch consume self {
    case .next(let step): return step
    case .again(_, let error): throw error
    }
  }
}

/// A user's sign-in that is complete. `UserPoolSessions` verifies and keeps its tokens.
public struct SignedIn: Sendable, CustomStringConvertible, CustomReflectable {
  /// The user's name as it was typed.
  public let username: String
  /// The user's device.
  public let device: SignInDevice
  /// The tokens, which are not verified.
  let tokens: IssuedTokens
  /// The device, if it can still be confirmed.
  let newDevice: NewDevice?

  /// The user's name, without the tokens.
  public var description: String { "sign-in of \(username.quoted)" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The device of a sign-in.
@nonexhaustive public enum SignInDevice: Sendable, Equatable {
  /// The pool gave the device no key: it does not track devices.
  case untracked
  /// The device was known.
  case known(key: String)
  /// The device is new, and confirmed. If `needsConsent`, it is remembered only after
  /// ``UserPoolClient/updateDevice(_:isRemembered:accessToken:)``, for which the user is to be asked.
  case new(key: String, needsConsent: Bool)
  /// The device is new and is not confirmed, because devices are not kept or for the given reason. The refresh
  /// token is refused until it is. ``UserPoolSessions/keep(_:at:)`` tries it again, unless the service refused it.
  case unconfirmed(key: String, UserPoolClientError?)

  /// The device's key; nil where the pool gave none.
  public var key: String? {
    switch self {
    case .untracked: nil
    case .known(let key), .new(let key, _), .unconfirmed(let key, _): key
    }
  }
}
