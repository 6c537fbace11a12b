public import AccessPolicies
public import SigV4
public import TokenSecurityBase

/// Why a request with a session's credentials is refused.
@nonexhaustive public enum SessionRequestError: CodedError {
  /// The request or its signature breaks a rule. The code is that of the `SigV4Error`.
  case signature(SigV4Error)
  /// The session has ended, was revoked, or belongs to another service.
  case sessionRefused(message: String)
  /// The session's policies do not allow the request.
  case denied(AccessExplanation)
  /// A policy of the session cannot be read: it may deny.
  case policyUnreadable(name: String)
  /// Too many questions to the service are under way.
  case busy(limit: Int)
  /// The service did not answer. The code is that of the `IdentityClientError`.
  case unavailable(IdentityClientError)

  /// The stable code of an error. A code never changes its meaning; new ones may be added.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case signature = "session_signature_refused"
    case sessionRefused = "session_refused"
    case denied = "session_denied"
    case policyUnreadable = "session_policy_unreadable"
    case busy = "session_keys_busy"
    case unavailable = "session_keys_unavailable"
  }

  /// The stable code as text; for `signature` and `unavailable` that of the associated error.
  public var codeText: String {
    switch self {
    case .signature(let error): error.codeText
    case .unavailable(let error): error.codeText
    default: code.rawValue
    }
  }

  /// The code and the sentence of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .signature(let error): (.signature, error.description)
    case .sessionRefused(let message):
      (.sessionRefused, "the identity service refuses the session: \(message.bounded(to: 300))")
    case .denied(let explanation): (.denied, explanation.decision.sentence)
    case .policyUnreadable(let name):
      (.policyUnreadable, "the session's policy \(name.quoted) cannot be loaded, and may deny the request")
    case .busy(let limit): (.busy, "\(limit) questions to the identity service are under way")
    case .unavailable(let error): (.unavailable, error.description)
    }
  }

  /// The response to the caller, without new information.
  public var response: (status: Int, code: String, message: String) {
    switch self {
    case .signature(let error): (error.response.status, error.response.code, error.response.message)
    case .sessionRefused: (403, "ExpiredToken", "The session is not valid, or not any more.")
    case .denied, .policyUnreadable: (403, "AccessDenied", "The session may not do this.")
    case .busy, .unavailable: (503, "ServiceUnavailable", "The request cannot be verified now.")
    }
  }

  static func converting<R>(_ body: () throws(SigV4Error) -> R) throws(SessionRequestError) -> R {
    do throws(SigV4Error) { return try body() } catch { throw .signature(error) }
  }
}
