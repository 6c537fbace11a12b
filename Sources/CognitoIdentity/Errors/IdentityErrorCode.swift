internal import TokenSecurityEncodings

extension IdentityError {
  /// The stable code of an error. Codes keep their meaning; new ones may be added.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case requestMalformed = "request_malformed"
    case operationUnknown = "operation_unknown"
    case parameterMissing = "member_missing"
    case parameterType = "member_type"
    case parameterLength = "member_length"
    case parameterRange = "member_range"
    case parameterPattern = "member_pattern"
    case parameterRefused = "member_refused"
    case duration = "duration_refused"
    case nextTokenInvalid = "next_token_invalid"
    case signatureMissing = "call_unsigned"
    case signatureRefused = "call_signature_refused"
    case callerForbidden = "caller_forbidden"
    case tooManyRequests = "too_many_requests"
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
    case sessionTokenInvalid = "session_token_invalid"
    case sessionExpired = "session_expired"
    case webIdentityRefused = "web_identity_refused"
    case storeFailed = "store_failed"
    case storeBusy = "store_busy"
    case outcomeUnknown = "outcome_unknown"
    case cryptoFailed = "identity_crypto_failed"
  }

  /// The stable code as text; for `duration`, `signatureRefused` and `callRepeated` that of the associated
  /// error.
  public var codeText: String {
    switch self {
    case .duration(let error): error.codeText
    case .signatureRefused(let error): error.codeText
    case .callRepeated(let code, _, _): code
    default: code.rawValue
    }
  }

  /// The JSON protocol's `__type`, which AWS's SDKs map to exceptions.
  public var type: String {
    switch self {
    case .requestMalformed, .parameterType: "SerializationException"
    case .operationUnknown: "UnknownOperationException"
    case .parameterMissing, .parameterLength, .parameterRange, .parameterPattern, .parameterRefused,
      .duration,
      .nextTokenInvalid, .developerProviderFixed, .classicFlowOff, .developerLogins,
      .developerProviderUnknown, .trustPolicyInvalid:
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
    case .callerForbidden: "AccessDeniedException"
    case .callRepeated(_, let type, _): type
    case .tooManyRequests, .storeBusy: "TooManyRequestsException"
    case .poolUnknown, .identityUnknown, .developerUserUnknown: "ResourceNotFoundException"
    case .poolsFull: "LimitExceededException"
    case .guestsRefused, .developerTokenMisplaced, .providerNotSupported, .loginRefused, .loginNotLinked,
      .linkingNeedsDeveloper, .identityDisabled, .identityForbidden, .customRoleRefused, .sessionTokenInvalid,
      .sessionExpired,
      .webIdentityRefused:
      "NotAuthorizedException"
    case .loginNotVerified: "ExternalServiceException"
    case .loginConflict, .loginsFull, .identityMismatch: "ResourceConflictException"
    case .developerUserTaken: "DeveloperUserAlreadyRegisteredException"
    case .roleNotSet, .roleUnknown, .roleRefused, .roleUnusable, .roleAmbiguous:
      "InvalidIdentityPoolConfigurationException"
    case .storeFailed, .outcomeUnknown, .cryptoFailed: "InternalErrorException"
    }
  }

  /// The HTTP status: 400 for errors of the caller, 500 for errors of the service.
  public var status: Int { type == "InternalErrorException" ? 500 : 400 }
}
