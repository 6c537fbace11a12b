public import SecureRemotePassword
public import TokenSecurityBase

/// Why a call to a user pool, a sign-in or a session failed.
@nonexhaustive public enum UserPoolClientError: CodedError, Equatable {
  /// The service refused the call; `type` is the protocol's exception, such as `NotAuthorizedException`.
  case refused(type: String, message: String)
  /// The service's response cannot be read.
  case responseMalformed(rule: String)
  /// The service could not be reached, or did not respond in time.
  case unreachable(String)
  /// A pool id, a client id, an endpoint or another setting is invalid.
  case configurationInvalid(rule: String)
  /// A value for the service is invalid, such as a phone number that is not in the form of E.164. Nothing was
  /// sent.
  case inputInvalid(rule: String)
  /// The password's proof could not be computed, or the service's numbers are invalid.
  case signInFailed(SRPError)
  /// The sign-in waits for more than the password.
  case signInIncomplete(SignInStepKind)
  /// A token from the service does not pass verification.
  case tokenRefused(String)
  /// The stored session could not be read or written.
  case storeUnavailable(String)
  /// No user is signed in.
  case signedOut
  /// The caller's task was cancelled, or the delegate gave up.
  case cancelled

  /// The stable code of an error. A code never changes its meaning; new ones may be added.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case refused = "user_pool_client_refused"
    case responseMalformed = "user_pool_client_response_malformed"
    case unreachable = "user_pool_client_unreachable"
    case configurationInvalid = "user_pool_client_configuration_invalid"
    case inputInvalid = "user_pool_client_input_invalid"
    case signInFailed = "user_pool_client_sign_in_failed"
    case signInIncomplete = "user_pool_client_sign_in_incomplete"
    case tokenRefused = "user_pool_client_token_refused"
    case storeUnavailable = "user_pool_client_store_unavailable"
    case signedOut = "user_pool_client_signed_out"
    case cancelled = "user_pool_client_cancelled"
  }

  /// True if the service refused the call with this exception, such as `NotAuthorizedException` for a wrong password.
  ///
  /// - Parameter type: the name of the protocol's exception.
  /// - Returns: whether it did.
  public func isRefusal(_ type: String) -> Bool {
    guard case .refused(let found, _) = self else { return false }
    return found == type
  }

  /// The code and the sentence of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .refused(let type, let message):
      (.refused, "the service refused the call with \(type.quoted): \(message.bounded(to: 300))")
    case .responseMalformed(let rule):
      (.responseMalformed, "the service's response cannot be read: \(rule)")
    case .unreachable(let reason): (.unreachable, "the service cannot be reached: \(reason)")
    case .configurationInvalid(let rule): (.configurationInvalid, "the configuration is invalid: \(rule)")
    case .inputInvalid(let rule): (.inputInvalid, "the value cannot be sent: \(rule)")
    case .signInFailed(let error): (.signInFailed, "the sign-in cannot be continued: \(error)")
    case .signInIncomplete(let kind):
      (.signInIncomplete, "the sign-in waits for more than the password: \(kind); answer its steps")
    case .tokenRefused(let reason): (.tokenRefused, "a token of the service is refused: \(reason)")
    case .storeUnavailable(let reason):
      (.storeUnavailable, "the stored session cannot be read or written: \(reason)")
    case .signedOut: (.signedOut, "no user is signed in")
    case .cancelled: (.cancelled, "the call was cancelled")
    }
  }
}
