internal import JOSE
internal import SecureRemotePassword
internal import TokenSecurityBase
internal import TokenSecurityCrypto

extension UserPoolError {
  /// The code and the sentence of each case. Sentences that clients know are those of the service.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .request(let error): (.request, error.description)
    case .parameterRefused(let name, let rule): (.parameterRefused, "\(name): \(rule)")
    case .settingsRefused(let text): (.parameterRefused, text)
    case .parameterMissing(let name): (.parameterMissing, "Missing required parameter \(name)")
    case .timestampMalformed:
      (.timestampMalformed, SRPError.Response.timestampMalformed.rawValue)
    case .pageTokenInvalid: (.pageTokenInvalid, "Invalid pagination token")
    case .filterInvalid: (.filterInvalid, "Error while parsing filter.")
    case .attributeNotSearchable(let name):
      (.attributeNotSearchable, "Invalid search attribute: \(name.bounded(to: 32))")
    case .attributesNotInSchema: (.attributesNotInSchema, "One or more requested attributes do not exist.")
    case .importRefused(let line, let rule): (.importRefused, "line \(line): \(rule)")
    case .signatureMissing: (.signatureMissing, "the call must be signed")
    case .callerForbidden(let rule): (.callerForbidden, "the caller may not do this: \(rule)")
    case .secretHashMissing(let id):
      (.secretHashMissing, "Client \(id) is configured with secret but SECRET_HASH was not received")
    case .secretHashMismatch(let id): (.secretHashMismatch, "Unable to verify secret hash for client \(id)")
    case .refreshSecretHashMismatch(let id):
      (.refreshSecretHashMismatch, "SecretHash does not match for the client: \(id)")
    case .clientSecretRefused: (.clientSecretRefused, "Invalid client secret")
    case .accessTokenInvalid: (.accessTokenInvalid, "Invalid Access Token")
    case .accessTokenExpired: (.accessTokenExpired, "Access Token has expired")
    case .accessTokenRevoked: (.accessTokenRevoked, "Access Token has been revoked")
    case .accessTokenScope: (.accessTokenScope, "Access Token does not have required scopes")
    case .refreshTokenInvalid: (.refreshTokenInvalid, "Invalid Refresh Token")
    case .refreshTokenRevoked: (.refreshTokenRevoked, "Refresh Token has been revoked")
    case .refreshTokenExpired: (.refreshTokenExpired, "Refresh Token has expired")
    case .refreshTokenReused: (.refreshTokenReused, "Refresh token has been reused")
    case .tokenTypeNotSupported: (.tokenTypeNotSupported, "Unsupported token type")
    case .operationNotSupported(let rule): (.operationNotSupported, rule)
    case .clientNotAuthorized: (.clientNotAuthorized, "The token belongs to another client")
    case .poolUnknown(let id): (.poolUnknown, "User pool \(id.bounded(to: 55)) does not exist.")
    case .clientUnknown(let id): (.clientUnknown, "User pool client \(id.bounded(to: 128)) does not exist.")
    case .groupUnknown: (.groupUnknown, "Group not found.")
    case .groupExists: (.groupExists, "A group with the name already exists.")
    case .limitReached(let thing, let limit): (.limitReached, "the limit of \(limit) \(thing) is reached")
    case .deletionProtected:
      (
        .deletionProtected,
        "The user pool cannot be deleted because deletion protection is activated. Deletion protection must be inactivated first."
      )
    case .changedMeanwhile: (.changedMeanwhile, "Another call changed this meanwhile; try again.")
    case .resourceUnknown(let arn): (.resourceUnknown, "There is no resource \(arn.quoted).")
    case .userUnknown: (.userUnknown, "User does not exist.")
    case .userNameRefused(let rule): (.userNameRefused, rule)
    case .userExists: (.userExists, "User already exists")
    case .addressTaken(let attribute):
      (.addressTaken, "An account with the given \(attribute) already exists.")
    case .aliasExists(let attribute): (.aliasExists, "An account with the given \(attribute) already exists.")
    case .userConfirmedAlready: (.userConfirmedAlready, "User is already confirmed.")
    case .userNotConfirmed: (.userNotConfirmed, "User is not confirmed.")
    case .userDisabled: (.userDisabled, "User is disabled.")
    case .passwordResetRequired: (.passwordResetRequired, "Password reset required for the user")
    case .temporaryPasswordExpired:
      (.temporaryPasswordExpired, "Temporary password has expired and must be reset by an administrator.")
    case .passwordWrong: (.passwordWrong, "Incorrect username or password.")
    case .passwordAttemptsExceeded: (.passwordAttemptsExceeded, "Password attempts exceeded")
    case .statusRefused(let text): (.statusRefused, text)
    case .userStateNotSupported(let status):
      (.userStateNotSupported, "The user's status is \(status): the invitation cannot be sent again.")
    case .signUpNotPermitted: (.signUpNotPermitted, "SignUp is not permitted for this user pool")
    case .passwordRefused(let rule): (.passwordRefused, "Password did not conform with policy: \(rule)")
    case .passwordUsedBefore: (.passwordUsedBefore, "Password has previously been used")
    case .resetByAdministratorOnly: (.resetByAdministratorOnly, "Contact administrator to reset password.")
    case .noVerifiedAddress:
      (
        .noVerifiedAddress,
        "Cannot reset password for the user as there is no registered/verified email or phone_number"
      )
    case .attributesRefused(let rule): (.attributesRefused, rule)
    case .attributeProvided(let name): (.attributeProvided, "Cannot modify an already provided \(name)")
    case .attributeNotWritable: (.attributeNotWritable, "A client attempted to write unauthorized attribute")
    case .addressMalformed(let attribute):
      (
        .addressMalformed,
        attribute == "email" ? "Invalid email address format." : "Invalid phone number format."
      )
    case .addressUnusable(let rule): (.addressUnusable, rule)
    case .codeMismatch: (.codeMismatch, "Invalid verification code provided, please try again.")
    case .mfaCodeMismatch: (.mfaCodeMismatch, "Invalid code or auth state for the user.")
    case .softwareTokenCodeMismatch: (.softwareTokenCodeMismatch, "Invalid code received for user")
    case .softwareTokenVerificationFailed:
      (.softwareTokenVerificationFailed, "Code mismatch and fail enable Software Token MFA")
    case .codeExpired: (.codeExpired, "Invalid code provided, please request a code again.")
    case .softwareTokenCodeUsed: (.softwareTokenCodeUsed, "Your software token has already been used once.")
    case .attemptLimitExceeded: (.attemptLimitExceeded, "Attempt limit exceeded, please try after some time.")
    case .requestLimitExceeded: (.requestLimitExceeded, "Attempt limit exceeded, please try after some time.")
    case .tooManyFailedAttempts: (.tooManyFailedAttempts, "Too many failed attempts; request a new code.")
    case .factorClosed(let factor):
      (
        .factorClosed,
        "Too many wrong answers in a row: \(factor) is closed until an administrator enables it again."
      )
    case .deliveryFailed(let rule): (.deliveryFailed, "The message could not be sent: \(rule)")
    case .softwareTokenNotEnabled:
      (.softwareTokenNotEnabled, "Software Token MFA has not been enabled by the userPool.")
    case .factorNotSetUp(let text): (.factorNotSetUp, text)
    case .deviceUnknown: (.deviceUnknown, "Device does not exist.")
    case .deviceKeyInvalid: (.deviceKeyInvalid, "Invalid device key given.")
    case .deviceExists: (.deviceExists, "The device is confirmed already.")
    case .devicesNotTracked: (.devicesNotTracked, "Device tracking is not enabled for this user pool.")
    case .flowNotEnabled(let text): (.flowNotEnabled, text)
    case .flowNotSupported: (.flowNotSupported, "Initiate Auth method not supported.")
    case .sessionInvalid: (.sessionInvalid, "Invalid session for the user.")
    case .sessionUsed: (.sessionUsed, "Invalid session for the user, session can only be used once.")
    case .sessionExpired: (.sessionExpired, "Invalid session for the user, session is expired.")
    case .challengeUnexpected: (.challengeUnexpected, "The challenge is not the one that the session is for.")
    case .customAnswerRefused: (.customAnswerRefused, "Incorrect username or password.")
    case .hookRefused(let trigger, let text): (.hookRefused, "\(trigger) failed with error \(text).")
    case .hookFailed(let trigger, let reason): (.hookFailed, "\(trigger) failed: \(reason)")
    case .hookResponseInvalid(let trigger, let rule):
      (.hookResponseInvalid, "\(trigger): the response is invalid: \(rule)")
    case .hookMissing(let trigger):
      (.hookMissing, "The user pool has no function for \(trigger), which the flow needs.")
    case .storeBusy: (.storeBusy, "the store is busy; try again later")
    case .tooMuchWork:
      (.tooMuchWork, "too many passwords and keys are computed at once; try again later")
    case .storeFailed(let reason): (.storeFailed, "the store could not be read or written: \(reason)")
    case .outcomeUnknown(let reason):
      (.outcomeUnknown, "it is not known whether the change was stored: \(reason)")
    case .cryptoFailed(let reason): (.cryptoFailed, "a cryptographic operation failed: \(reason)")
    }
  }
}

// Conversions of errors of other modules.
extension UserPoolError {
  init(_ error: CryptoError) { self = .cryptoFailed("\(error)") }
  init(_ error: JOSEError) { self = .cryptoFailed("\(error)") }
  /// For errors that no request causes.
  init(_ error: SRPError) { self = .cryptoFailed("\(error)") }

  /// Converts errors of libcrypto.
  static func crypto<R: ~Copyable>(_ body: () throws(CryptoError) -> R) throws(UserPoolError) -> R {
    do throws(CryptoError) { return try body() } catch { throw UserPoolError(error) }
  }

  /// Converts errors of SRP that no request causes.
  static func srp<R: ~Copyable>(_ body: () throws(SRPError) -> R) throws(UserPoolError) -> R {
    do throws(SRPError) { return try body() } catch { throw UserPoolError(error) }
  }
}
