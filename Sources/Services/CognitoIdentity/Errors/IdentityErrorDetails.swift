internal import TokenSecurityBase
internal import TokenSecurityCrypto

extension IdentityError {
  /// The code and the sentence of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .request(let error): (.request, error.description)
    case .parameterRefused(let name, let rule): (.parameterRefused, "\(name): \(rule)")
    case .duration(let error): (.duration, "TokenDuration: \(error)")
    case .nextTokenInvalid: (.nextTokenInvalid, "NextToken was not issued by this operation")
    case .signatureMissing:
      (.signatureMissing, "the call must be signed (AWS Signature Version 4)")
    case .signatureRefused(let error): (.signatureRefused, error.description)
    case .callerForbidden(let rule): (.callerForbidden, "the caller may not do this: \(rule)")
    case .callRepeated(_, _, let message): (.callRepeated, message)
    case .poolUnknown(let id): (.poolUnknown, "there is no identity pool \(id.quoted)")
    case .poolsFull(let limit): (.poolsFull, "the limit of \(limit) identity pools is reached")
    case .developerProviderFixed(let name):
      (.developerProviderFixed, "the developer provider name is \(name.quoted) and cannot be changed")
    case .classicFlowOff(let id):
      (
        .classicFlowOff,
        "the basic (classic) flow is off in \(id.quoted); use the enhanced flow, or AllowClassicFlow"
      )
    case .guestsRefused(let id): (.guestsRefused, "unauthenticated access is not enabled in \(id.quoted)")
    case .developerLogins(let count):
      (
        .developerLogins,
        "Logins has \(count) logins of the pool's developer provider; exactly one is required"
      )
    case .developerProviderUnknown(let name):
      (.developerProviderUnknown, "\(name.quoted) is neither the pool's developer provider nor a public one")
    case .developerTokenMisplaced:
      (.developerTokenMisplaced, "a developer token is not accepted here: its identity is the token's sub")
    case .providerNotSupported(let name):
      (.providerNotSupported, "the pool does not accept logins of \(name.quoted)")
    case .loginRefused(let provider, _, let reason):
      (.loginRefused, "the token of \(provider.quoted) is refused: \(reason)")
    case .loginNotVerified(let provider, let reason):
      (.loginNotVerified, "the token of \(provider.quoted) cannot be verified now: \(reason)")
    case .loginConflict(let provider):
      (
        .loginConflict,
        "the identity has another login of \(provider.quoted); one per public provider is allowed"
      )
    case .loginsFull(let count, let limit):
      (.loginsFull, "the identity would have \(count) logins; \(limit) are allowed")
    case .linkingNeedsDeveloper:
      (
        .linkingNeedsDeveloper,
        "the identity has a developer login: only the developer's service can link logins"
      )
    case .loginNotLinked(let provider):
      (.loginNotLinked, "no such login of \(provider.quoted) is linked to the identity")
    case .developerUserTaken:
      (.developerUserTaken, "the developer user identifier is registered under another identity")
    case .developerUserUnknown:
      (.developerUserUnknown, "the developer user identifier is not registered")
    case .identityMismatch:
      (.identityMismatch, "the developer user identifier belongs to another identity")
    case .identityUnknown(let id): (.identityUnknown, "there is no identity \(id.quoted)")
    case .identityDisabled(let id):
      (.identityDisabled, "the identity \(id.quoted) was merged into another one")
    case .identityForbidden(let id):
      (
        .identityForbidden,
        "access to the identity \(id.quoted) is forbidden: Logins must have one of its logins"
      )
    case .roleNotSet(let kind): (.roleNotSet, "the pool has no role for \(kind) identities")
    case .roleUnknown(let arn): (.roleUnknown, "there is no role \(arn.quoted)")
    case .roleRefused(let arn):
      (.roleRefused, "the trust policy of \(arn.quoted) does not allow this caller")
    case .roleUnusable(let arn, let rule):
      (.roleUnusable, "the stored trust policy of \(arn.quoted) cannot be loaded: \(rule)")
    case .roleAmbiguous:
      (.roleAmbiguous, "no role, or more than one, matches the login's claims, and the mapping says Deny")
    case .customRoleRefused(let arn):
      (.customRoleRefused, "\(arn.quoted) is not one of the roles that the pool's mapping offers this login")
    case .trustPolicyInvalid(let rule): (.trustPolicyInvalid, "the trust policy cannot be loaded: \(rule)")
    case .policyInvalid(let name, let error):
      (.policyInvalid, "the policy \(name.quoted) cannot be loaded: \(error)")
    case .policyRefused(let refusal):
      (.policyRefused, "\(refusal.sentence): \(refusal.explanation)")
    case .sessionTokenTooLarge(let size, let limit):
      (
        .sessionTokenTooLarge,
        "with its tags and its policy the session token has \(size) bytes; \(limit) are allowed"
      )
    case .sessionTokenInvalid:
      (.sessionTokenInvalid, "the session token is invalid, or does not belong to the access key")
    case .sessionExpired(let end, let now):
      (.sessionExpired, "the credentials expired at \(end.seconds); the time is \(now.seconds)")
    case .sessionRevoked: (.sessionRevoked, "the session was revoked")
    case .sessionUnusable(_, let reason): (.sessionUnusable, "the session is not valid: \(reason)")
    case .webIdentityRefused(_, let reason, _):
      (.webIdentityRefused, "the web identity's token is refused: \(reason)")
    case .storeBusy: (.storeBusy, "the store is busy; try again later")
    case .outcomeUnknown(let reason):
      (.outcomeUnknown, "it is not known whether the change was stored: \(reason)")
    case .storeFailed(let reason): (.storeFailed, "the store could not be read or written: \(reason)")
    case .cryptoFailed(let reason): (.cryptoFailed, "a cryptographic operation failed: \(reason)")
    }
  }

  /// The message for callers. It hides the reasons of internal errors.
  public var publicMessage: String {
    switch self {
    case .request(let error): error.publicMessage
    case .storeFailed, .outcomeUnknown, .cryptoFailed: "An internal error occurred."
    case .signatureRefused(let error): error.publicMessage
    case .policyRefused(let refusal): refusal.sentence
    default: description
    }
  }
}

extension SigV4Error {
  /// The message for callers. It tells apart only what is public: ids begin with the region, and clients know
  /// the service's host.
  fileprivate var publicMessage: String {
    switch self {
    case .wrongRegion(let actual, let expected):
      "The signature is for the region \(actual.quoted), and this service has \(expected.quoted)."
    case .wrongService: "The signature is for another service."
    case .hostNotAccepted: "The signature is for a host that this service does not have."
    default: response.message
    }
  }
}

// Refusals of arguments, in the form of those of members.
extension IdentityError {
  static func parameterMissing(_ name: String) -> IdentityError {
    .request(.validation([Violation.missing(name)]))
  }

  static func parameterLength(_ name: String, count: Int, allowed: ClosedRange<Int>) -> IdentityError {
    .request(.validation(Violation.of(count: count, name, CountBounds(allowed))))
  }

  static func parameterRange(_ name: String, value: Int64, allowed: ClosedRange<Int64>) -> IdentityError {
    .request(.validation(Violation.of(value, name, .long(allowed))))
  }

  static func parameterPattern(_ name: String, pattern: String) -> IdentityError {
    .request(.validation([Violation.of(pattern: pattern, name)]))
  }
}

extension IdentityError {
  init(_ error: CryptoError) { self = .cryptoFailed("\(error)") }
  init(_ error: JOSEError) { self = .cryptoFailed("\(error)") }

  /// Converts errors of libcrypto.
  static func crypto<R: ~Copyable>(
    _ body: () throws(CryptoError) -> R
  ) throws(IdentityError) -> R {
    do throws(CryptoError) { return try body() } catch { throw IdentityError(error) }
  }
}
