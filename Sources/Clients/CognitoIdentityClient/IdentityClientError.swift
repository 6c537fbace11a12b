public import TokenSecurityBase

/// Why an identity, a token or credentials could not be obtained.
@nonexhaustive public enum IdentityClientError: CodedError, Equatable {
  /// The service refused the call; `type` is the protocol's exception, such as `NotAuthorizedException`.
  case refused(type: String, message: String)
  /// The service's response cannot be read.
  case responseMalformed(rule: String)
  /// The service could not be reached, or did not respond in time.
  case unreachable(String)
  /// The developer's own service failed.
  case developerFailed(String)
  /// The logins could not be read; the source says why.
  case loginsUnavailable(String)
  /// A pool id, a region, an endpoint or another setting is invalid.
  case configurationInvalid(rule: String)
  /// The stored state could not be read or written.
  case stateUnavailable(String)
  /// The credentials in the response are invalid.
  case credentialsUnusable(SigV4Error)
  /// The user has another identity, and the application keeps the guest's.
  case identityKept(guest: String, user: String)

  /// The stable code of an error. A code never changes its meaning; new ones may be added.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case refused = "service_refused_call"
    case responseMalformed = "answer_malformed"
    case unreachable = "endpoint_unreachable"
    case developerFailed = "developer_failed"
    case loginsUnavailable = "logins_unavailable"
    case configurationInvalid = "client_configuration_invalid"
    case stateUnavailable = "state_unavailable"
    case credentialsUnusable = "identity_credentials_unusable"
    case identityKept = "guest_identity_kept"
  }

  /// True if the service rejected the identity: with a new one the call may succeed.
  var isOfIdentity: Bool {
    guard case .refused(let type, _) = self else { return false }
    return type == "NotAuthorizedException" || type == "ResourceNotFoundException"
  }

  /// True if the user of the developer provider has another identity than the one of the call.
  var isOfUserElsewhere: Bool {
    guard case .refused(let type, _) = self else { return false }
    return type == "DeveloperUserAlreadyRegisteredException"
  }

  /// True if a service failed. Local failures, such as a full disk, need no pause.
  var isOfService: Bool {
    switch self {
    case .configurationInvalid, .stateUnavailable, .identityKept: false
    default: true
    }
  }

  /// The code and the sentence of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .refused(let type, let message):
      (.refused, "the service refused the call with \(type.quoted): \(message.bounded(to: 300))")
    case .responseMalformed(let rule):
      (.responseMalformed, "the service's response cannot be read: \(rule)")
    case .unreachable(let reason): (.unreachable, "the service cannot be reached: \(reason)")
    case .developerFailed(let reason): (.developerFailed, "the developer's own service failed: \(reason)")
    case .loginsUnavailable(let reason): (.loginsUnavailable, "the logins cannot be read: \(reason)")
    case .configurationInvalid(let rule): (.configurationInvalid, "the configuration is invalid: \(rule)")
    case .stateUnavailable(let reason):
      (.stateUnavailable, "the stored state cannot be read or written: \(reason)")
    case .credentialsUnusable(let error):
      (.credentialsUnusable, "the credentials in the response are invalid: \(error)")
    case .identityKept(let guest, let user):
      (
        .identityKept,
        "the user has the identity \(user.quoted), and the application keeps the guest's, \(guest.quoted)"
      )
    }
  }
}
