public import HTTPExchange
public import TokenSecurityBase

/// Why a call of an operation has no output.
@nonexhaustive public enum OperationCallError: CodedError, Hashable {
  /// The service refused the call; `type` is the protocol's name, such as `NotAuthorizedException`, and empty
  /// where the response has a message alone.
  case refused(type: String, status: Int, message: String)
  /// The request cannot be sent.
  case requestRefused(rule: String)
  /// The response cannot be read.
  case responseMalformed(rule: String)
  /// There is no response of the service; a gateway before it may have responded.
  case unreachable(TransportError)

  /// The stable code of an error. A code never changes its meaning; new ones may be added.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case refused = "operation_refused"
    case requestRefused = "operation_request_refused"
    case responseMalformed = "operation_response_malformed"
    case unreachable = "operation_unreachable"
  }

  /// The code and the sentence of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .refused(let type, _, let message):
      (.refused, "the service refused the call with \(type.quoted): \(message.bounded(to: 300))")
    case .requestRefused(let rule): (.requestRefused, "the request cannot be sent: \(rule)")
    case .responseMalformed(let rule):
      (.responseMalformed, "the service's response cannot be read: \(rule)")
    case .unreachable(let error): (.unreachable, "the service cannot be reached: \(error)")
    }
  }
}
