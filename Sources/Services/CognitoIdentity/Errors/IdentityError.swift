public import AccessPolicies
public import TokenLifetime
public import TokenSecurityBase

/// Why a call to an identity pool was refused.
///
/// ``codeText`` is for programs, ``type`` is the protocol's name, and ``description`` is a sentence that
/// names the rule and the value. It contains no token, secret or user identifier.
@nonexhaustive public enum IdentityError: CodedError, Equatable {
  // The request.

  /// The request cannot be read, or members are not within their bounds. The code is that of the
  /// `OperationError`.
  case request(OperationError)
  /// A member's value is not allowed.
  case parameterRefused(String, rule: String)
  /// The requested lifetime is not allowed.
  case duration(LifetimeError)
  /// `NextToken` was not issued by this operation.
  case nextTokenInvalid

  // The caller.

  /// The call must be signed.
  case signatureMissing
  /// The signature is invalid. The code is that of the `SigV4Error`.
  case signatureRefused(SigV4Error)
  /// The credentials are valid but do not allow the call.
  case callerForbidden(rule: String)
  /// The same signed call was refused before, by another process. Code, type and message are those of its error.
  case callRepeated(code: String, type: String, message: String)

  // Pools.

  /// The pool does not exist.
  case poolUnknown(String)
  /// The limit of pools is reached.
  case poolsFull(limit: Int)
  /// A pool's developer provider name cannot be changed.
  case developerProviderFixed(String)
  /// The basic flow is off in the pool.
  case classicFlowOff(String)
  /// The pool does not allow guests.
  case guestsRefused(String)

  // Logins.

  /// The number of logins of the developer provider is not one.
  case developerLogins(count: Int)
  /// A login's provider is neither the pool's developer provider nor public.
  case developerProviderUnknown(String)
  /// The operation does not accept developer tokens.
  case developerTokenMisplaced
  /// The pool does not accept the provider's logins.
  case providerNotSupported(String)
  /// A login's token is invalid. The code is that of the violated rule.
  case loginRefused(provider: String, code: String, reason: String)
  /// A login's token could not be verified because its provider's keys are unavailable.
  case loginNotVerified(provider: String, reason: String)
  /// The identity has another login of the same public provider.
  case loginConflict(provider: String)
  /// An identity would exceed the limit of logins.
  case loginsFull(count: Int, limit: Int)
  /// A device may not link logins to an identity with a developer login.
  case linkingNeedsDeveloper
  /// The login is not linked to the identity.
  case loginNotLinked(provider: String)
  /// The developer's user is registered under another identity.
  case developerUserTaken
  /// The developer's user is not registered.
  case developerUserUnknown
  /// The developer's user belongs to another identity.
  case identityMismatch

  // Identities.

  /// The identity does not exist in the pool.
  case identityUnknown(String)
  /// The identity was merged into another one.
  case identityDisabled(String)
  /// The request has no login of the identity.
  case identityForbidden(String)

  // Roles and credentials.

  /// The pool has no role for this kind of identity.
  case roleNotSet(kind: String)
  /// The role does not exist.
  case roleUnknown(String)
  /// The role's trust policy does not allow the identity.
  case roleRefused(String)
  /// The role's stored trust policy cannot be loaded, so that it cannot be assumed.
  case roleUnusable(String, rule: String)
  /// No role, or more than one, matches the login's claims.
  case roleAmbiguous
  /// The requested role is not offered by a login's role mapping.
  case customRoleRefused(String)
  /// A trust policy is invalid.
  case trustPolicyInvalid(rule: String)
  /// A permission policy of a role, or a session policy, is invalid. The code is that of the `AccessPolicyError`.
  case policyInvalid(name: String, AccessPolicyError)
  /// The policies of the caller's role do not allow the call.
  case policyRefused(PolicyRefusal)
  /// With its tags and its policy a session does not fit into a session token. Both in bytes.
  case sessionTokenTooLarge(size: Int, limit: Int)
  /// A session token is invalid.
  case sessionTokenInvalid
  /// A session token has expired.
  case sessionExpired(at: Timestamp, now: Timestamp)
  /// The session was revoked.
  case sessionRevoked
  /// A session whose signing key is asked for is not valid. The code is that of the reason.
  case sessionUnusable(code: String, reason: String)
  /// The web identity's token is invalid. The code is that of the violated rule.
  case webIdentityRefused(code: String, reason: String, isExpired: Bool)

  // The service.

  /// The store could not be read or written.
  case storeFailed(String)
  /// Too many calls wait for the store, or change the same rows. A later try may succeed.
  case storeBusy
  /// It is not known whether a change was stored: the store failed while it was committed.
  case outcomeUnknown(String)
  /// A cryptographic operation failed.
  case cryptoFailed(String)
}
