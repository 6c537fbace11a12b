internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

extension IdentityError: CustomStringConvertible {
  /// One sentence that names the rule and the value that broke it.
  public var description: String {
    switch self {
    case .requestMalformed(let rule): "the request cannot be read: \(rule)"
    case .operationUnknown(let name): "there is no operation \(name.quoted)"
    case .parameterMissing(let name): "\(name) must be given"
    case .parameterType(let name, let expected): "\(name) must be \(expected)"
    case .parameterLength(let name, let count, let allowed):
      "\(name) has a length of \(count); \(allowed.lowerBound) to \(allowed.upperBound) is allowed"
    case .parameterRange(let name, let value, let allowed):
      "\(name) is \(value); \(allowed.lowerBound) to \(allowed.upperBound) is allowed"
    case .parameterPattern(let name, let pattern): "\(name) does not have the form \(pattern)"
    case .parameterRefused(let name, let rule): "\(name): \(rule)"
    case .duration(let error): "TokenDuration: \(error)"
    case .nextTokenInvalid: "NextToken is not one that this call has given out"
    case .signatureMissing: "the call must be signed with developer credentials (AWS Signature Version 4)"
    case .signatureRefused(let error): error.answer.message
    case .callerForbidden(let rule): "the caller may not do this: \(rule)"
    case .tooManyRequests: "too many requests; come again later"
    case .poolUnknown(let id): "there is no identity pool \(id.quoted)"
    case .poolsFull(let limit): "there are \(limit) identity pools, and no more may be made"
    case .developerProviderFixed(let name):
      "the developer provider name is \(name.quoted), and cannot be changed once it is set"
    case .classicFlowOff(let id):
      "the basic (classic) flow is not switched on in \(id.quoted); use the enhanced flow, or AllowClassicFlow"
    case .guestsRefused(let id): "unauthenticated access is not switched on in \(id.quoted)"
    case .developerLogins(let count):
      "Logins has \(count) logins of the pool's developer provider; exactly one is wanted"
    case .developerProviderUnknown(let name):
      "\(name.quoted) is neither the pool's developer provider nor a public one; one developer provider a call"
    case .developerTokenMisplaced:
      "a developer token does not belong here: its identity is the token's sub"
    case .providerNotSupported(let name): "the pool takes no logins of \(name.quoted)"
    case .loginRefused(let provider, _, let reason): "the token of \(provider.quoted) is refused: \(reason)"
    case .loginNotJudged(let provider, let reason):
      "the token of \(provider.quoted) cannot be judged now: \(reason)"
    case .loginConflict(let provider):
      "the identity has another login of \(provider.quoted), and may have one of each public provider"
    case .loginsFull(let count, let limit): "the identity would have \(count) logins; \(limit) are allowed"
    case .linkingNeedsDeveloper:
      "the identity has a login of the developer's: all linking goes through the developer's own service"
    case .loginNotLinked(let provider): "no such login of \(provider.quoted) is linked to the identity"
    case .developerUserTaken: "the developer user identifier is registered under another identity"
    case .developerUserUnknown: "nobody is registered under this developer user identifier"
    case .identityMismatch: "the identity and the developer user identifier do not belong together"
    case .identityUnknown(let id): "there is no identity \(id.quoted)"
    case .identityDisabled(let id): "the identity \(id.quoted) was merged into another one"
    case .identityForbidden(let id):
      "access to the identity \(id.quoted) is forbidden: one of its logins must come along"
    case .roleNotSet(let kind): "the pool has no role for \(kind) identities"
    case .roleUnknown(let arn): "there is no role \(arn.quoted)"
    case .roleRefused(let arn): "the trust policy of \(arn.quoted) does not admit this identity"
    case .roleUnusable(let arn, let rule):
      "the stored trust policy of \(arn.quoted) cannot be loaded: \(rule)"
    case .roleAmbiguous: "no role, or more than one, follows from the login's claims, and the pool says Deny"
    case .customRoleRefused(let arn):
      "\(arn.quoted) is not among the roles that the pool's mapping offers for this login"
    case .trustPolicyInvalid(let rule): "the trust policy cannot be loaded: \(rule)"
    case .sessionTokenInvalid: "the session token is not one of ours, or does not belong to the access key"
    case .sessionExpired(let end, let now): "the credentials ended at \(end), and it is \(now)"
    case .webIdentityRefused(_, let reason, _): "the web identity's token is refused: \(reason)"
    case .storeFailed(let reason): "what is stored could not be read or written: \(reason)"
    case .cryptoFailed(let reason): "a cryptographic operation failed: \(reason)"
    }
  }

  /// What a caller is told: nothing of what is inside the house.
  public var publicMessage: String {
    switch self {
    case .storeFailed, .cryptoFailed: "An internal error occurred."
    case .signatureRefused(let error): error.answer.message
    default: description
    }
  }
}

extension IdentityError {
  init(_ error: CryptoError) { self = .cryptoFailed("\(error)") }
  init(_ error: JOSEError) { self = .cryptoFailed("\(error)") }

  /// Runs what libcrypto does.
  static func crypto<R: ~Copyable>(
    _ body: () throws(CryptoError) -> R
  ) throws(IdentityError) -> R {
    do throws(CryptoError) { return try body() } catch { throw IdentityError(error) }
  }
}
