internal import TokenSecurityEncodings

/// Why no identity, token or credentials could be had.
public enum ClientFault: Error, Equatable, Sendable {
  /// The service refused; the type is the protocol's, `NotAuthorizedException` for instance.
  case refused(type: String, message: String)
  /// The service answered with something that cannot be read.
  case answerMalformed(rule: String)
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
  public enum Code: String, Sendable, Hashable, CaseIterable {
    case refused = "service_refused_call"
    case answerMalformed = "answer_malformed"
    case unreachable = "endpoint_unreachable"
    case developerFailed = "developer_failed"
    case configurationInvalid = "client_configuration_invalid"
    case stateUnavailable = "state_unavailable"
    case credentialsUnusable = "identity_credentials_unusable"
  }

  /// The stable code of this fault.
  public var code: Code {
    switch self {
    case .refused: .refused
    case .answerMalformed: .answerMalformed
    case .unreachable: .unreachable
    case .developerFailed: .developerFailed
    case .configurationInvalid: .configurationInvalid
    case .stateUnavailable: .stateUnavailable
    case .credentialsUnusable: .credentialsUnusable
    }
  }

  /// True where the identity that was sent is not, or no longer, ours: without it the call may succeed.
  var isOfIdentity: Bool {
    guard case .refused(let type, _) = self else { return false }
    return type == "NotAuthorizedException" || type == "ResourceNotFoundException"
  }
}

extension ClientFault: CustomStringConvertible {
  /// One sentence that names the rule and the value that broke it.
  public var description: String {
    switch self {
    case .refused(let type, let message):
      "the service refused with \(type.quoted): \(message.bounded(to: 300))"
    case .answerMalformed(let rule): "the service's answer cannot be read: \(rule)"
    case .unreachable(let reason): "the service cannot be reached: \(reason)"
    case .developerFailed(let reason): "the developer's own service failed: \(reason)"
    case .configurationInvalid(let rule): "the settings cannot be meant: \(rule)"
    case .stateUnavailable(let reason): "the stored state cannot be used: \(reason)"
    case .credentialsUnusable(let error): "the credentials that came are of no use: \(error)"
    }
  }
}
