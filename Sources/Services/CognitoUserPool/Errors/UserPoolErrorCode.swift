public import ServiceOperations
internal import TokenSecurityBase

extension UserPoolError {
  /// The stable code of an error. Codes keep their meaning; new ones may be added.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case request = "user_pool_request_refused"
    case parameterRefused = "user_pool_parameter_refused"
    case parameterMissing = "user_pool_parameter_missing"
    case timestampMalformed = "user_pool_timestamp_malformed"
    case pageTokenInvalid = "page_token_invalid"
    case filterInvalid = "user_filter_invalid"
    case attributeNotSearchable = "attribute_not_searchable"
    case attributesNotInSchema = "attributes_not_in_schema"
    case importRefused = "user_import_refused"
    case signatureMissing = "user_pool_call_unsigned"
    case callerForbidden = "user_pool_caller_forbidden"
    case secretHashMissing = "client_secret_hash_missing"
    case secretHashMismatch = "client_secret_hash_mismatch"
    case refreshSecretHashMismatch = "refresh_secret_hash_mismatch"
    case clientSecretRefused = "client_secret_refused"
    case accessTokenInvalid = "access_token_invalid"
    case accessTokenExpired = "access_token_expired"
    case accessTokenRevoked = "access_token_revoked"
    case accessTokenScope = "access_token_scope"
    case refreshTokenInvalid = "refresh_token_invalid"
    case refreshTokenRevoked = "refresh_token_revoked"
    case refreshTokenExpired = "refresh_token_expired"
    case refreshTokenReused = "refresh_token_reused"
    case tokenTypeNotSupported = "token_type_not_supported"
    case operationNotSupported = "operation_not_supported"
    case clientNotAuthorized = "client_not_authorized"
    case poolUnknown = "user_pool_unknown"
    case clientUnknown = "app_client_unknown"
    case groupUnknown = "group_unknown"
    case groupExists = "group_exists"
    case limitReached = "limit_reached"
    case deletionProtected = "deletion_protected"
    case changedMeanwhile = "changed_meanwhile"
    case resourceUnknown = "resource_unknown"
    case userUnknown = "user_unknown"
    case userNameRefused = "user_name_refused"
    case userExists = "user_exists"
    case addressTaken = "address_taken"
    case aliasExists = "alias_exists"
    case userConfirmedAlready = "user_confirmed_already"
    case userNotConfirmed = "user_not_confirmed"
    case userDisabled = "user_disabled"
    case passwordResetRequired = "password_reset_required"
    case temporaryPasswordExpired = "temporary_password_expired"
    case passwordWrong = "password_wrong"
    case passwordAttemptsExceeded = "password_attempts_exceeded"
    case statusRefused = "status_refused"
    case userStateNotSupported = "user_state_not_supported"
    case signUpNotPermitted = "sign_up_not_permitted"
    case passwordRefused = "password_refused"
    case passwordUsedBefore = "password_used_before"
    case resetByAdministratorOnly = "reset_by_administrator_only"
    case noVerifiedAddress = "no_verified_address"
    case attributesRefused = "attributes_refused"
    case attributeProvided = "attribute_provided"
    case attributeNotWritable = "attribute_not_writable"
    case addressMalformed = "address_malformed"
    case addressUnusable = "address_unusable"
    case codeMismatch = "verification_code_mismatch"
    case mfaCodeMismatch = "mfa_code_mismatch"
    case softwareTokenCodeMismatch = "software_token_code_mismatch"
    case softwareTokenVerificationFailed = "software_token_verification_failed"
    case codeExpired = "verification_code_expired"
    case softwareTokenCodeUsed = "software_token_code_used"
    case attemptLimitExceeded = "attempt_limit_exceeded"
    case requestLimitExceeded = "request_limit_exceeded"
    case tooManyFailedAttempts = "too_many_failed_attempts"
    case factorClosed = "factor_closed"
    case deliveryFailed = "delivery_failed"
    case softwareTokenNotEnabled = "software_token_not_enabled"
    case factorNotSetUp = "factor_not_set_up"
    case deviceUnknown = "device_unknown"
    case deviceKeyInvalid = "device_key_invalid"
    case deviceExists = "device_exists"
    case devicesNotTracked = "devices_not_tracked"
    case flowNotEnabled = "flow_not_enabled"
    case flowNotSupported = "flow_not_supported"
    case sessionInvalid = "sign_in_session_invalid"
    case sessionUsed = "sign_in_session_used"
    case sessionExpired = "sign_in_session_expired"
    case challengeUnexpected = "sign_in_challenge_unexpected"
    case customAnswerRefused = "custom_answer_refused"
    case hookRefused = "hook_refused"
    case hookFailed = "hook_failed"
    case hookResponseInvalid = "hook_response_invalid"
    case hookMissing = "hook_missing"
    case storeBusy = "user_pool_store_busy"
    case tooMuchWork = "user_pool_too_much_work"
    case storeFailed = "user_pool_store_failed"
    case outcomeUnknown = "user_pool_outcome_unknown"
    case cryptoFailed = "user_pool_crypto_failed"
  }

  /// The stable code as text; for `request` that of the `OperationError`.
  public var codeText: String {
    if case .request(let error) = self { error.codeText } else { code.rawValue }
  }

  /// The HTTP status: 400 for errors of the caller, 500 for errors of the service.
  public var status: Int {
    if case .request(let error) = self { error.status } else { type == "InternalErrorException" ? 500 : 400 }
  }
}

extension UserPoolError: ServiceError {
  /// The refusal of a request whose operation did not begin.
  ///
  /// - Parameter error: the refusal.
  public init(_ error: OperationError) { self = .request(error) }

  /// The JSON protocol's `__type`, which AWS's SDKs map to exceptions.
  public var type: String {
    switch self {
    case .request(let error): error.type
    case .parameterRefused, .settingsRefused, .parameterMissing, .timestampMalformed, .pageTokenInvalid,
      .filterInvalid,
      .attributeNotSearchable,
      .attributesNotInSchema, .importRefused, .deletionProtected, .attributesRefused,
      .addressMalformed, .addressUnusable, .noVerifiedAddress, .factorNotSetUp, .deviceKeyInvalid,
      .devicesNotTracked, .flowNotEnabled, .flowNotSupported, .challengeUnexpected, .hookMissing,
      .userNameRefused, .userConfirmedAlready:
      "InvalidParameterException"
    case .signatureMissing: "MissingAuthenticationTokenException"
    case .callerForbidden: "AccessDeniedException"
    case .secretHashMissing, .secretHashMismatch, .refreshSecretHashMismatch, .clientSecretRefused,
      .accessTokenInvalid, .accessTokenExpired, .accessTokenRevoked, .accessTokenScope, .refreshTokenInvalid,
      .refreshTokenRevoked, .refreshTokenExpired, .userDisabled, .temporaryPasswordExpired, .passwordWrong,
      .passwordAttemptsExceeded, .statusRefused, .signUpNotPermitted, .resetByAdministratorOnly,
      .attributeProvided, .attributeNotWritable, .sessionInvalid, .sessionUsed, .sessionExpired,
      .customAnswerRefused, .factorClosed:
      "NotAuthorizedException"
    case .refreshTokenReused: "RefreshTokenReuseException"
    case .tokenTypeNotSupported: "UnsupportedTokenTypeException"
    case .operationNotSupported: "UnsupportedOperationException"
    case .clientNotAuthorized: "UnauthorizedException"
    case .poolUnknown, .clientUnknown, .groupUnknown, .deviceUnknown, .resourceUnknown:
      "ResourceNotFoundException"
    case .groupExists: "GroupExistsException"
    case .limitReached, .attemptLimitExceeded: "LimitExceededException"
    case .changedMeanwhile: "ConcurrentModificationException"
    case .userUnknown: "UserNotFoundException"
    case .userExists, .addressTaken: "UsernameExistsException"
    case .aliasExists: "AliasExistsException"
    case .userNotConfirmed: "UserNotConfirmedException"
    case .passwordResetRequired: "PasswordResetRequiredException"
    case .userStateNotSupported: "UnsupportedUserStateException"
    case .passwordRefused: "InvalidPasswordException"
    case .passwordUsedBefore: "PasswordHistoryPolicyViolationException"
    case .codeMismatch, .mfaCodeMismatch, .softwareTokenCodeMismatch: "CodeMismatchException"
    case .softwareTokenVerificationFailed: "EnableSoftwareTokenMFAException"
    case .codeExpired, .softwareTokenCodeUsed: "ExpiredCodeException"
    case .tooManyFailedAttempts: "TooManyFailedAttemptsException"
    case .deliveryFailed: "CodeDeliveryFailureException"
    case .softwareTokenNotEnabled: "SoftwareTokenMFANotFoundException"
    case .deviceExists: "DeviceKeyExistsException"
    case .hookRefused: "UserLambdaValidationException"
    case .hookFailed: "UnexpectedLambdaException"
    case .hookResponseInvalid: "InvalidLambdaResponseException"
    case .requestLimitExceeded, .storeBusy, .tooMuchWork: "TooManyRequestsException"
    case .storeFailed, .outcomeUnknown, .cryptoFailed: "InternalErrorException"
    }
  }

  /// The message for callers. It hides the reasons of internal errors.
  public var publicMessage: String {
    switch self {
    case .request(let error): error.publicMessage
    case .storeFailed, .outcomeUnknown, .cryptoFailed: "An internal error occurred."
    case .hookFailed(let trigger, _): "\(trigger) failed: the function cannot be called."
    default: description
    }
  }
}
