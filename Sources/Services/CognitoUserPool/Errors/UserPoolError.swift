public import ServiceOperations
public import TokenSecurityBase

/// Why a call to a user pool was refused.
///
/// ``codeText`` is for programs, ``type`` is the protocol's name, and ``description`` is a sentence that
/// names the rule and the value. It contains no password, code, token or secret.
@nonexhaustive public enum UserPoolError: CodedError, Equatable {
  // The request.

  /// The request cannot be read, or members are not within their bounds. The code is that of the
  /// `OperationError`.
  case request(OperationError)
  /// A member's value is not allowed.
  case parameterRefused(String, rule: String)
  /// Settings of a pool or client are not allowed. AWS's text; the code is that of `parameterRefused`.
  case settingsRefused(String)
  /// A member of `AuthParameters` or `ChallengeResponses` is missing.
  case parameterMissing(String)
  /// `TIMESTAMP` of a proof by SRP is not in its form.
  case timestampMalformed
  /// A pagination token was not issued for this call.
  case pageTokenInvalid
  /// The filter of a list of users cannot be read.
  case filterInvalid
  /// Users cannot be searched by an attribute.
  case attributeNotSearchable(String)
  /// A list shall have attributes that users of the pool do not have.
  case attributesNotInSchema
  /// A file of users breaks a rule. The line, and the rule.
  case importRefused(line: Int, rule: String)

  // The caller.

  /// The call must be signed.
  case signatureMissing
  /// The credentials are valid but do not allow the call.
  case callerForbidden(rule: String)
  /// The secret hash is missing.
  case secretHashMissing(clientID: String)
  /// The secret hash is not that of user name and client.
  case secretHashMismatch(clientID: String)
  /// The secret hash of a refresh is not that of the token's user.
  case refreshSecretHashMismatch(clientID: String)
  /// The client's secret is wrong, or missing.
  case clientSecretRefused
  /// The access token is not a valid token of a pool.
  case accessTokenInvalid
  /// The access token has expired.
  case accessTokenExpired
  /// The access token was revoked.
  case accessTokenRevoked
  /// The access token lacks the scope of the user's own operations.
  case accessTokenScope
  /// The refresh token is not valid.
  case refreshTokenInvalid
  /// The refresh token was revoked.
  case refreshTokenRevoked
  /// The refresh token has expired.
  case refreshTokenExpired
  /// A refresh token that was replaced was used after its grace period.
  case refreshTokenReused
  /// The token is not a refresh token.
  case tokenTypeNotSupported
  /// The client does not allow the operation.
  case operationNotSupported(rule: String)
  /// The token belongs to another client.
  case clientNotAuthorized

  // Pools, clients, groups.

  /// The pool does not exist.
  case poolUnknown(String)
  /// The client does not exist.
  case clientUnknown(String)
  /// The group does not exist.
  case groupUnknown
  /// The group exists already.
  case groupExists
  /// A limit on the number of something is reached.
  case limitReached(of: String, limit: Int)
  /// The pool is protected from deletion.
  case deletionProtected
  /// Another call changed the same thing meanwhile.
  case changedMeanwhile
  /// A tag's resource is not a pool of this service.
  case resourceUnknown(String)

  // Users.

  /// The user does not exist.
  case userUnknown
  /// A name for a new user is not in a form that the pool allows. AWS's text where it has one.
  case userNameRefused(rule: String)
  /// The user name is taken.
  case userExists
  /// The address that users sign in with is taken. Its attribute.
  case addressTaken(attribute: String)
  /// An alias, such as an e-mail address, belongs to another user. The alias's attribute.
  case aliasExists(attribute: String)
  /// The user is confirmed already, and gets no other code for that.
  case userConfirmedAlready
  /// The user is not confirmed.
  case userNotConfirmed
  /// The user is disabled.
  case userDisabled
  /// The user's password must be reset.
  case passwordResetRequired
  /// The user must get a new password from an administrator.
  case temporaryPasswordExpired
  /// User name or password are wrong.
  case passwordWrong
  /// Too many wrong passwords or codes.
  case passwordAttemptsExceeded
  /// The user's status does not allow the operation. AWS's text.
  case statusRefused(String)
  /// The invitation of a user in this status cannot be repeated.
  case userStateNotSupported(status: String)
  /// Users cannot sign up themselves.
  case signUpNotPermitted
  /// The password breaks the policy. The rule of the policy.
  case passwordRefused(rule: String)
  /// The password was used before.
  case passwordUsedBefore
  /// The user must ask an administrator for a new password.
  case resetByAdministratorOnly
  /// The user has no verified address for a code.
  case noVerifiedAddress
  /// Attributes break the schema.
  case attributesRefused(rule: String)
  /// The answer to NEW_PASSWORD_REQUIRED would change an attribute that has a value already. Its name.
  case attributeProvided(String)
  /// An attribute may not be written by this client.
  case attributeNotWritable
  /// An address is not in its form.
  case addressMalformed(attribute: String)
  /// An address cannot receive messages now.
  case addressUnusable(rule: String)

  // Codes and limits.

  /// The code is wrong.
  case codeMismatch
  /// The code of a sign-in's second factor is wrong.
  case mfaCodeMismatch
  /// The code of a software token is wrong.
  case softwareTokenCodeMismatch
  /// The code of a software token is wrong, in its verification.
  case softwareTokenVerificationFailed
  /// The code expired, or does not exist.
  case codeExpired
  /// The code of a software token was used before.
  case softwareTokenCodeUsed
  /// Too many attempts within a time.
  case attemptLimitExceeded
  /// Too many attempts within a time, in an operation that declares no `LimitExceededException`.
  case requestLimitExceeded
  /// Too many failed attempts.
  case tooManyFailedAttempts
  /// Too many wrong answers of a second factor in a row. The factor.
  case factorClosed(String)
  /// A message could not be sent.
  case deliveryFailed(rule: String)
  /// The pool does not use software tokens.
  case softwareTokenNotEnabled
  /// The user has no software token, SMS number or e-mail address for the factor. AWS's text.
  case factorNotSetUp(String)
  /// The device is unknown, in an operation on devices.
  case deviceUnknown
  /// The device's key was not given to this user.
  case deviceKeyInvalid
  /// The device is confirmed already.
  case deviceExists
  /// Device tracking is off.
  case devicesNotTracked

  // Sign-in.

  /// The flow is not enabled for the client. AWS's text.
  case flowNotEnabled(String)
  /// The operation does not have this flow.
  case flowNotSupported
  /// The session is not valid for this call.
  case sessionInvalid
  /// The session was used.
  case sessionUsed
  /// The session has expired.
  case sessionExpired
  /// The challenge is not the one that the session is for, or does not exist.
  case challengeUnexpected
  /// A custom challenge's answer was refused by its hook.
  case customAnswerRefused

  // Hooks.

  /// A hook refused the call. The trigger and its text.
  case hookRefused(trigger: String, text: String)
  /// A hook could not be reached.
  case hookFailed(trigger: String, reason: String)
  /// A hook's response cannot be read.
  case hookResponseInvalid(trigger: String, rule: String)
  /// The pool lacks a hook that the flow needs.
  case hookMissing(trigger: String)

  // The service.

  /// The store is busy, or too much work waits.
  case storeBusy
  /// Too many passwords and keys are computed at once.
  case tooMuchWork
  /// The store could not be read or written.
  case storeFailed(String)
  /// Whether a change was stored is unknown.
  case outcomeUnknown(String)
  /// A cryptographic operation failed.
  case cryptoFailed(String)
}
