public import TokenSecurityBase

/// Why a request is refused before its operation begins.
@nonexhaustive public enum OperationError: CodedError, Hashable {
  /// The request is incomplete, or its body is not JSON or not a form.
  case serialization(rule: String)
  /// A member has another type.
  case memberType(rule: String)
  /// Members break constraints.
  case validation([Violation])
  /// The service has no such operation.
  case operationUnknown(String)
  /// The operation is declared but not built.
  case operationNotBuilt(String)
  /// A member is not supported, and ignoring it would change what the caller asks for.
  case memberUnknown(String)
  /// The body is larger than the operation allows.
  case bodyTooLarge(limit: Int)
  /// The caller makes too many calls.
  case tooManyRequests
  /// The service failed. The reason is for the log alone.
  case failed(String)

  /// The stable code of an error. A code never changes its meaning; new ones may be added.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case serialization = "request_malformed"
    case memberType = "member_type"
    /// Violations of several members and kinds. Where all others share the kind or the member of the first,
    /// the code is that of the first.
    case validation = "members_invalid"
    case memberMissing = "member_missing"
    case memberLength = "member_length"
    case memberRange = "member_range"
    case memberPattern = "member_pattern"
    case memberChoice = "member_choice"
    case operationUnknown = "operation_unknown"
    case operationNotBuilt = "operation_not_built"
    case memberUnknown = "member_not_supported"
    case bodyTooLarge = "body_too_large"
    case tooManyRequests = "too_many_requests"
    case failed = "service_failed"

    init(_ violations: [Violation]) {
      guard let first = violations.first, first.kinds.count == 1, let kind = first.kinds.first,
        violations.allSatisfy({ $0.path.isIdentical(to: first.path) || $0.kinds == first.kinds })
      else {
        self = .validation
        return
      }
      self =
        switch kind {
        case .missing: .memberMissing
        case .length: .memberLength
        case .range: .memberRange
        case .pattern: .memberPattern
        case .choice: .memberChoice
        }
    }
  }

  /// The code and the sentence of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .serialization(let rule): (.serialization, rule)
    case .memberType(let rule): (.memberType, rule)
    case .validation(let violations): (Code(violations), Violation.message(violations))
    case .operationUnknown(let name):
      (.operationUnknown, "there is no operation \(name.quoted)")
    case .operationNotBuilt(let name): (.operationNotBuilt, "the operation \(name) is not implemented")
    case .memberUnknown(let name): (.memberUnknown, "the member \(name.quoted) is not supported")
    case .bodyTooLarge(let limit): (.bodyTooLarge, "the body has more than \(limit) bytes")
    case .tooManyRequests: (.tooManyRequests, "too many requests; try again later")
    case .failed(let reason): (.failed, "the service failed: \(reason)")
    }
  }
}

/// An error that a service reports to callers: its type in the protocol, its status, its message.
public protocol ServiceError: CodedError {
  /// The name in the protocol, such as `NotAuthorizedException`.
  var type: String { get }
  /// The HTTP status.
  var status: Int { get }
  /// The message for callers, which hides reasons of internal errors.
  var publicMessage: String { get }
  /// The name and the status in another protocol, where they differ.
  ///
  /// - Parameter binding: the protocol.
  /// - Returns: the name and the status.
  func reported(in binding: ServiceBinding) -> (type: String, status: Int)
  /// The refusal of a request whose operation did not begin.
  ///
  /// - Parameter error: the refusal.
  init(_ error: OperationError)
}

extension ServiceError {
  /// The name and the status of the JSON protocols.
  ///
  /// - Parameter binding: the protocol.
  /// - Returns: the name and the status.
  public func reported(in binding: ServiceBinding) -> (type: String, status: Int) { (type, status) }
}

extension OperationError: ServiceError {
  /// The name and the status.
  ///
  /// - Parameter binding: the protocol.
  /// - Returns: the name and the status.
  public func reported(in binding: ServiceBinding) -> (type: String, status: Int) {
    switch (binding, self) {
    case (.query, .serialization): ("MalformedInput", 400)
    case (.query, .tooManyRequests): ("Throttling", 400)
    case (.query, .failed): ("InternalFailure", 500)
    case (.query, .operationUnknown): ("InvalidAction", 400)
    case (.query, .operationNotBuilt): ("NotImplemented", 400)
    case (.query, _): ("ValidationError", 400)
    case (.rest, .operationUnknown): (type, 404)
    case (.rest, .tooManyRequests): (type, 429)
    default: (type, status)
    }
  }

  /// The type in the JSON protocols.
  public var type: String {
    switch self {
    case .serialization, .memberType: "SerializationException"
    case .operationUnknown: "UnknownOperationException"
    case .operationNotBuilt: "NotImplementedException"
    case .validation, .memberUnknown, .bodyTooLarge: "InvalidParameterException"
    case .tooManyRequests: "TooManyRequestsException"
    case .failed: "InternalErrorException"
    }
  }

  /// The status in the JSON protocols.
  public var status: Int { if case .failed = self { 500 } else { 400 } }

  /// The sentence, without the reason of a failure.
  public var publicMessage: String {
    if case .failed = self { "An internal error occurred." } else { description }
  }

  /// The error itself.
  ///
  /// - Parameter error: the refusal.
  public init(_ error: OperationError) { self = error }
}
