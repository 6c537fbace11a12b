public import CognitoIdentityClient
public import TokenSecurityBase

/// Why a data set could not be read, changed or synchronised, or a device not be registered.
@nonexhaustive public enum SyncClientError: CodedError, Equatable {
  /// The service refused the call; `type` is the protocol's exception, such as `LimitExceededException`.
  case refused(type: String, message: String)
  /// The service's response cannot be read.
  case responseMalformed(rule: String)
  /// The service could not be reached, or did not respond in time. It may have carried out the call.
  case unreachable(String)
  /// There is no identity or there are no credentials.
  case identityFailed(IdentityClientError)
  /// A region, an endpoint or another setting is invalid.
  case configurationInvalid(rule: String)
  /// A name, key or value is not within the bounds. Nothing was stored or sent.
  case inputInvalid(rule: String)
  /// The local store could not be read or written.
  case storeUnavailable(String)
  /// The handler ended the synchronisation.
  case stopped(Stop)
  /// The data set still differs from the service's after this many tries without progress: others change it, or the
  /// service refuses its counts.
  case triesExhausted(Int)
  /// This device is not registered for the current identity.
  case deviceNotRegistered
  /// A push message is malformed.
  case messageInvalid(rule: String)
  /// The caller's task was cancelled, or everything was removed from this device during the call.
  case cancelled

  /// The question to a handler that ended a synchronisation.
  public enum Stop: Sendable, Hashable {
    /// How a conflict is resolved.
    case conflict
    /// How a deleted data set is handled.
    case deletion
    /// Whether to go on although there are merged data sets.
    case merge
  }

  /// The stable code of an error. A code never changes its meaning; new ones may be added.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case refused = "sync_client_refused"
    case responseMalformed = "sync_client_response_malformed"
    case unreachable = "sync_client_unreachable"
    case identityFailed = "sync_client_identity_failed"
    case configurationInvalid = "sync_client_configuration_invalid"
    case inputInvalid = "sync_client_input_invalid"
    case storeUnavailable = "sync_client_store_unavailable"
    case stopped = "sync_client_stopped"
    case triesExhausted = "sync_client_tries_exhausted"
    case deviceNotRegistered = "sync_client_device_not_registered"
    case messageInvalid = "sync_client_message_invalid"
    case cancelled = "sync_client_cancelled"
  }

  /// The code and the sentence of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .refused(let type, let message):
      (.refused, "the service refused the call with \(type.quoted): \(message.bounded(to: 300))")
    case .responseMalformed(let rule):
      (.responseMalformed, "the service's response cannot be read: \(rule)")
    case .unreachable(let reason): (.unreachable, "the service cannot be reached: \(reason)")
    case .identityFailed(let error):
      (.identityFailed, "there is no identity, or there are no credentials: \(error)")
    case .configurationInvalid(let rule): (.configurationInvalid, "the configuration is invalid: \(rule)")
    case .inputInvalid(let rule): (.inputInvalid, "the value cannot be stored: \(rule)")
    case .storeUnavailable(let reason):
      (.storeUnavailable, "the local store cannot be read or written: \(reason)")
    case .stopped(let stop): (.stopped, "the handler ended the synchronisation at \(stop.subject)")
    case .triesExhausted(let tries):
      (.triesExhausted, "the data set still differs from the service's after \(tries) tries without progress")
    case .deviceNotRegistered:
      (.deviceNotRegistered, "this device is not registered for the current identity")
    case .messageInvalid(let rule): (.messageInvalid, "the push message is malformed: \(rule)")
    case .cancelled: (.cancelled, "the task was cancelled, or the data sets were removed from this device")
    }
  }
}

extension SyncClientError.Stop {
  fileprivate var subject: String {
    switch self {
    case .conflict: "a conflict"
    case .deletion: "the deletion of the data set"
    case .merge: "merged data sets"
    }
  }
}

extension SyncClientError {
  /// True if the service refused the call with this exception.
  func isRefusal(_ name: String) -> Bool {
    guard case .refused(let type, _) = self else { return false }
    return type == name
  }

  /// True if the service refused the call with this exception and a message that begins so.
  func isRefusal(_ name: String, message start: String) -> Bool {
    guard case .refused(let type, let message) = self else { return false }
    return type == name && message.hasPrefix(start)
  }
}
