public import TokenSecurityEncodings
public import TokenLifetime

/// Why a call to an identity pool was refused.
///
/// ``codeText`` is for programs, ``type`` is what the service's protocol calls it, and ``description`` is a sentence that
/// names the rule and the value that broke it. No token, no secret and no user identifier is in it.
@nonexhaustive public enum IdentityError: CodedError, Equatable {
  // What the request is.

  /// The body is no JSON object of the form that is read.
  case requestMalformed(rule: String)
  /// There is no operation of this name.
  case operationUnknown(String)
  /// A member that must be there is not.
  case parameterMissing(String)
  /// A member is of another type.
  case parameterType(String, expected: String)
  /// A text, list or map has too few or too many elements.
  case parameterLength(String, count: Int, allowed: ClosedRange<Int>)
  /// A number is too small or too large.
  case parameterRange(String, value: Int64, allowed: ClosedRange<Int64>)
  /// A text has another form.
  case parameterPattern(String, pattern: String)
  /// A member says something that this service does not do.
  case parameterRefused(String, rule: String)
  /// The life that is asked for is not allowed.
  case duration(LifetimeError)
  /// `NextToken` is not one that this call has given out.
  case nextTokenInvalid

  // Who calls.

  /// The call needs a signature and has none.
  case signatureMissing
  /// The signature does not hold; the code is that of `SigV4Error`.
  case signatureRefused(SigV4Error)
  /// The credentials are good, but they do not open this call.
  case callerForbidden(rule: String)
  /// More calls came than are taken.
  case tooManyRequests

  // Pools.

  /// There is no such pool.
  case poolUnknown(String)
  /// There are as many pools as there may be.
  case poolsFull(limit: Int)
  /// A pool's developer provider name was set, and cannot be changed.
  case developerProviderFixed(String)
  /// The pool's tokens by the basic flow are switched off.
  case classicFlowOff(String)
  /// The pool admits no guests.
  case guestsRefused(String)

  // Logins.

  /// Not exactly one login of the developer provider.
  case developerLogins(count: Int)
  /// A login is of a provider that is neither the pool's developer provider nor a public one.
  case developerProviderUnknown(String)
  /// A developer token was brought where it does not belong.
  case developerTokenMisplaced
  /// The pool does not take logins of this provider.
  case providerNotSupported(String)
  /// A login's token was refused; the code is that of the rule that it breaks.
  case loginRefused(provider: String, code: String, reason: String)
  /// A login's token could not be judged, since its provider's keys cannot be had.
  case loginNotJudged(provider: String, reason: String)
  /// The identity has another login of the same public provider.
  case loginConflict(provider: String)
  /// An identity would have more logins than it may.
  case loginsFull(count: Int, limit: Int)
  /// A device would link a login to an identity that has one of the developer's.
  case linkingNeedsDeveloper
  /// The login is not linked to the identity.
  case loginNotLinked(provider: String)
  /// The developer's user is registered under another identity.
  case developerUserTaken
  /// Nobody is registered under this identifier of a developer's user.
  case developerUserUnknown
  /// The identity and the developer's user do not belong together.
  case identityMismatch

  // Identities.

  /// There is no such identity in this pool.
  case identityUnknown(String)
  /// The identity was merged into another one.
  case identityDisabled(String)
  /// The identity is not the caller's: none of its logins came along.
  case identityForbidden(String)

  // Roles and credentials.

  /// The pool has no role for this kind of identity.
  case roleNotSet(kind: String)
  /// There is no such role.
  case roleUnknown(String)
  /// The role's trust policy does not admit the identity.
  case roleRefused(String)
  /// The role's stored trust policy cannot be loaded: nobody can assume the role.
  case roleUnusable(String, rule: String)
  /// No role follows from the login's claims, or more than one.
  case roleAmbiguous
  /// The role that is asked for is not among those that the mapping of a login offers.
  case customRoleRefused(String)
  /// A trust policy is not one that can be loaded.
  case trustPolicyInvalid(rule: String)
  /// A session token is not one of ours, or was changed.
  case sessionTokenInvalid
  /// A session token has expired.
  case sessionExpired(at: Timestamp, now: Timestamp)
  /// The web identity's token was refused; the code is that of the rule that it breaks.
  case webIdentityRefused(code: String, reason: String, isExpired: Bool)

  // The house.

  /// What is stored could not be read or written.
  case storeFailed(String)
  /// libcrypto failed, or there was no randomness.
  case cryptoFailed(String)
}
