internal import TokenSecurityBase

extension SyncError {
  /// The stable code of an error. Codes keep their meaning; new ones may be added.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case request = "sync_request_refused"
    case parameterRefused = "sync_parameter_refused"
    case nextTokenInvalid = "sync_next_token_invalid"
    case sessionTokenInvalid = "sync_session_token_invalid"
    case syncCountUnknown = "sync_count_unknown"
    case identity = "sync_identity_refused"
    case callerForbidden = "sync_caller_forbidden"
    case datasetUnknown = "dataset_unknown"
    case recordConflict = "record_conflict"
    case datasetReplaced = "dataset_replaced"
    case datasetsFull = "datasets_full"
    case recordsFull = "records_full"
    case datasetTooLarge = "dataset_too_large"
    case deviceUnknown = "sync_device_unknown"
    case tokenRefused = "sync_push_token_refused"
    case pushNotConfigured = "push_not_configured"
    case pushUnavailable = "sync_push_unavailable"
    case registrationsFull = "sync_registrations_full"
    case deviceBusy = "sync_device_busy"
    case storeFailed = "sync_store_failed"
    case storeBusy = "sync_store_busy"
    case outcomeUnknown = "sync_outcome_unknown"
    case cryptoFailed = "sync_crypto_failed"
  }

  /// The stable code as text; for `request` and `identity` that of the associated error.
  public var codeText: String {
    switch self {
    case .request(let error): error.codeText
    case .identity(let error): error.codeText
    default: code.rawValue
    }
  }
}

extension SyncError: ServiceError {
  /// The refusal of a request whose operation did not begin.
  ///
  /// - Parameter error: the refusal.
  public init(_ error: OperationError) { self = .request(error) }

  /// The name in the protocol, which AWS's SDKs map to exceptions.
  public var type: String {
    switch self {
    case .request(let error): error.type
    case .identity(let error): error.reported(in: .rest).type
    case .parameterRefused, .nextTokenInvalid, .sessionTokenInvalid, .syncCountUnknown, .tokenRefused:
      "InvalidParameterException"
    case .callerForbidden: "NotAuthorizedException"
    case .datasetUnknown, .deviceUnknown: "ResourceNotFoundException"
    case .recordConflict, .datasetReplaced: "ResourceConflictException"
    case .datasetsFull, .recordsFull, .datasetTooLarge: "LimitExceededException"
    case .pushNotConfigured: "InvalidConfigurationException"
    case .storeBusy, .registrationsFull, .deviceBusy: "TooManyRequestsException"
    case .storeFailed, .outcomeUnknown, .cryptoFailed, .pushUnavailable: "InternalErrorException"
    }
  }

  /// The HTTP status.
  public var status: Int {
    switch self {
    case .request(let error): error.reported(in: .rest).status
    case .identity(let error): error.reported(in: .rest).status
    case .callerForbidden: 403
    case .datasetUnknown, .deviceUnknown: 404
    case .recordConflict, .datasetReplaced: 409
    case .storeBusy, .registrationsFull, .deviceBusy: 429
    case .storeFailed, .outcomeUnknown, .cryptoFailed, .pushUnavailable: 500
    default: 400
    }
  }
}
