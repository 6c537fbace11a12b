internal import AccessPolicies
internal import TokenSecurityBase

extension IdentityError {
  /// The stable code of an error. Codes keep their meaning; new ones may be added.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case request = "request_refused"
    case parameterRefused = "member_refused"
    case duration = "duration_refused"
    case nextTokenInvalid = "next_token_invalid"
    case signatureMissing = "call_unsigned"
    case signatureRefused = "call_signature_refused"
    case callerForbidden = "caller_forbidden"
    case callRepeated = "call_repeated"
    case poolUnknown = "pool_unknown"
    case poolsFull = "pools_full"
    case developerProviderFixed = "developer_provider_fixed"
    case classicFlowOff = "classic_flow_off"
    case guestsRefused = "guests_refused"
    case developerLogins = "developer_logins"
    case developerProviderUnknown = "developer_provider_unknown"
    case developerTokenMisplaced = "developer_token_misplaced"
    case providerNotSupported = "provider_not_supported"
    case loginRefused = "login_refused"
    case loginNotVerified = "login_not_judged"
    case loginConflict = "login_conflict"
    case loginsFull = "logins_full"
    case linkingNeedsDeveloper = "linking_needs_developer"
    case loginNotLinked = "login_not_linked"
    case developerUserTaken = "developer_user_taken"
    case developerUserUnknown = "developer_user_unknown"
    case identityMismatch = "identity_and_user_differ"
    case identityUnknown = "identity_unknown"
    case identityDisabled = "identity_disabled"
    case identityForbidden = "identity_forbidden"
    case roleNotSet = "role_not_set"
    case roleUnknown = "role_unknown"
    case roleRefused = "role_refused"
    case roleUnusable = "role_unusable"
    case roleAmbiguous = "role_ambiguous"
    case customRoleRefused = "custom_role_refused"
    case trustPolicyInvalid = "trust_policy_invalid"
    case policyInvalid = "role_policy_invalid"
    case policyRefused = "role_policy_refused"
    case sessionTokenTooLarge = "session_token_too_large"
    case sessionTokenInvalid = "session_token_invalid"
    case sessionExpired = "session_expired"
    case sessionRevoked = "session_revoked"
    case sessionUnusable = "session_unusable"
    case scopeDayRefused = "scope_day_refused"
    case webIdentityRefused = "web_identity_refused"
    case storeFailed = "store_failed"
    case storeBusy = "store_busy"
    case outcomeUnknown = "outcome_unknown"
    case cryptoFailed = "identity_crypto_failed"
  }

  /// The stable code as text; for `request`, `duration`, `signatureRefused`, `policyInvalid` and `callRepeated`
  /// that of the associated error.
  public var codeText: String {
    switch self {
    case .request(let error): error.codeText
    case .duration(let error): error.codeText
    case .signatureRefused(let error): error.codeText
    case .policyInvalid(_, let error): error.codeText
    case .callRepeated(let code, _, _): code
    case .sessionUnusable(let code, _): code
    default: code.rawValue
    }
  }

  /// The JSON protocol's `__type`, which AWS's SDKs map to exceptions.
  public var type: String {
    switch self {
    // AWS's framework refuses members beyond their bounds, before the operation's own exceptions.
    case .request(.validation), .duration: "ValidationException"
    case .request(let error): error.type
    case .parameterRefused, .nextTokenInvalid, .developerProviderFixed, .classicFlowOff, .developerLogins,
      .developerProviderUnknown, .trustPolicyInvalid, .policyInvalid, .sessionTokenTooLarge:
      "InvalidParameterException"
    case .signatureMissing: "MissingAuthenticationTokenException"
    case .signatureRefused(let error):
      switch error.response.code {
      case "SignatureDoesNotMatch", "RequestExpired": "InvalidSignatureException"
      case "ExpiredToken": "ExpiredTokenException"
      case "AccessDenied": "AccessDeniedException"
      case "InternalFailure": "InternalErrorException"
      default: "IncompleteSignatureException"
      }
    case .callerForbidden, .policyRefused: "AccessDeniedException"
    case .callRepeated(_, let type, _): type
    case .poolUnknown, .identityUnknown, .developerUserUnknown: "ResourceNotFoundException"
    case .poolsFull: "LimitExceededException"
    case .guestsRefused, .developerTokenMisplaced, .providerNotSupported, .loginRefused, .loginNotLinked,
      .linkingNeedsDeveloper, .identityDisabled, .identityForbidden, .customRoleRefused, .sessionTokenInvalid,
      .sessionExpired, .sessionRevoked, .webIdentityRefused:
      "NotAuthorizedException"
    case .sessionUnusable: "InvalidSessionException"
    case .loginNotVerified: "ExternalServiceException"
    case .loginConflict, .loginsFull, .identityMismatch: "ResourceConflictException"
    case .developerUserTaken: "DeveloperUserAlreadyRegisteredException"
    case .roleNotSet, .roleUnknown, .roleRefused, .roleUnusable, .roleAmbiguous:
      "InvalidIdentityPoolConfigurationException"
    case .storeBusy: "TooManyRequestsException"
    case .storeFailed, .outcomeUnknown, .cryptoFailed: "InternalErrorException"
    }
  }

  /// The HTTP status: 400 for errors of the caller, 500 for errors of the service.
  public var status: Int { type == "InternalErrorException" ? 500 : 400 }
}

extension IdentityError: ServiceError {
  /// The refusal of a request whose operation did not begin.
  ///
  /// - Parameter error: the refusal.
  public init(_ error: OperationError) { self = .request(error) }

  /// The name and the status in the query protocol, as AWS STS has them, and the status in REST-JSON.
  ///
  /// - Parameter binding: the protocol.
  /// - Returns: the name and the status.
  public func reported(in binding: ServiceBinding) -> (type: String, status: Int) {
    switch binding {
    case .json: return (type, status)
    case .rest: return (type, restStatus)
    case .query: break
    }
    switch self {
    case .request(let error): return error.reported(in: binding)
    case .webIdentityRefused(_, _, let isExpired):
      return (isExpired ? "ExpiredTokenException" : "InvalidIdentityToken", 400)
    case .policyInvalid: return ("MalformedPolicyDocument", 400)
    case .sessionTokenTooLarge: return ("PackedPolicyTooLarge", 400)
    case .signatureMissing: return ("MissingAuthenticationToken", 403)
    case .sessionTokenInvalid: return ("InvalidClientTokenId", 403)
    case .sessionExpired, .sessionRevoked: return ("ExpiredToken", 403)
    case .signatureRefused(let error): return (error.response.code, error.response.status)
    case .roleRefused, .roleUnknown, .roleUnusable, .classicFlowOff, .identityForbidden, .identityUnknown,
      .identityDisabled, .callerForbidden, .policyRefused, .poolUnknown:
      return ("AccessDenied", 403)
    case .storeBusy: return ("Throttling", 400)
    case .storeFailed, .outcomeUnknown, .cryptoFailed: return ("InternalFailure", 500)
    default: return ("ValidationError", 400)
    }
  }

  /// The status in REST-JSON, as Amazon Cognito Sync has it. A repeated call has that of the first one's type.
  private var restStatus: Int {
    if case .request(let error) = self { return error.reported(in: .rest).status }
    return switch type {
    case "NotAuthorizedException", "AccessDeniedException", "MissingAuthenticationTokenException",
      "InvalidSignatureException", "ExpiredTokenException", "IncompleteSignatureException":
      403
    case "ResourceNotFoundException": 404
    case "ResourceConflictException": 409
    case "TooManyRequestsException": 429
    case "InternalErrorException": 500
    default: 400
    }
  }
}
