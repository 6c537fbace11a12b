public import TokenSecurityEncodings

/// Why a request is refused before its operation begins.
@nonexhaustive public enum OperationError: CodedError, Hashable {
  /// The body is not JSON or not a form, or a member has another type.
  case serialization(rule: String)
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

  /// The stable code of an error. A code never changes its meaning; new ones may be added.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case serialization = "body_unreadable"
    case validation = "members_invalid"
    case operationUnknown = "operation_not_declared"
    case operationNotBuilt = "operation_not_built"
    case memberUnknown = "member_not_supported"
    case bodyTooLarge = "body_too_large"
  }

  /// The code and the sentence of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .serialization(let rule): (.serialization, rule)
    case .validation(let violations): (.validation, Violation.message(violations))
    case .operationUnknown(let name):
      (.operationUnknown, "there is no operation \(name.quoted)")
    case .operationNotBuilt(let name): (.operationNotBuilt, "the operation \(name) is not implemented")
    case .memberUnknown(let name): (.memberUnknown, "the member \(name.quoted) is not supported")
    case .bodyTooLarge(let limit): (.bodyTooLarge, "the body has more than \(limit) bytes")
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
    case (.query, .operationUnknown): ("InvalidAction", 400)
    case (.query, .operationNotBuilt): ("NotImplemented", 400)
    case (.query, _): ("ValidationError", 400)
    case (.rest, .operationUnknown): (type, 404)
    default: (type, status)
    }
  }

  /// The type in the JSON protocols.
  public var type: String {
    switch self {
    case .serialization: "SerializationException"
    case .operationUnknown: "UnknownOperationException"
    case .operationNotBuilt: "NotImplementedException"
    case .validation, .memberUnknown, .bodyTooLarge: "InvalidParameterException"
    }
  }

  /// The status in the JSON protocols.
  public var status: Int { 400 }

  /// The sentence: it has nothing of the service's own.
  public var publicMessage: String { description }

  /// The error itself.
  ///
  /// - Parameter error: the refusal.
  public init(_ error: OperationError) { self = error }
}
