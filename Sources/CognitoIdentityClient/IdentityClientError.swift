public import TokenSecurityEncodings

/// Why no identity, token or credentials could be had.
@nonexhaustive public enum IdentityClientError: CodedError, Equatable {
  /// The service refused; the type is the protocol's, `NotAuthorizedException` for instance.
  case refused(type: String, message: String)
  /// The service answered with something that cannot be read.
  case responseMalformed(rule: String)
  /// The service could not be reached, or did not answer in time.
  case unreachable(String)
  /// The developer's own service failed.
  case developerFailed(String)
  /// A pool's id, a region or an endpoint is none.
  case configurationInvalid(rule: String)
  /// The stored state could not be read or written.
  case stateUnavailable(String)
  /// The credentials that came are of no use.
  case credentialsUnusable(SigV4Error)

  /// A fault's stable code. A code never changes its meaning; new ones may come.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case refused = "service_refused_call"
    case responseMalformed = "answer_malformed"
    case unreachable = "endpoint_unreachable"
    case developerFailed = "developer_failed"
    case configurationInvalid = "client_configuration_invalid"
    case stateUnavailable = "state_unavailable"
    case credentialsUnusable = "identity_credentials_unusable"
  }

  /// True where the identity that was sent is not, or no longer, ours: without it the call may succeed.
  var isOfIdentity: Bool {
    guard case .refused(let type, _) = self else { return false }
    return type == "NotAuthorizedException" || type == "ResourceNotFoundException"
  }
}

extension IdentityClientError {
  /// The code and the sentence of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .refused(let type, let message):
      (.refused, "the service refused with \(type.quoted): \(message.bounded(to: 300))")
    case .responseMalformed(let rule): (.responseMalformed, "the service's answer cannot be read: \(rule)")
    case .unreachable(let reason): (.unreachable, "the service cannot be reached: \(reason)")
    case .developerFailed(let reason): (.developerFailed, "the developer's own service failed: \(reason)")
    case .configurationInvalid(let rule): (.configurationInvalid, "the settings cannot be meant: \(rule)")
    case .stateUnavailable(let reason): (.stateUnavailable, "the stored state cannot be used: \(reason)")
    case .credentialsUnusable(let error):
      (.credentialsUnusable, "the credentials that came are of no use: \(error)")
    }
  }
}
