internal import AccessPolicies
internal import CognitoIdentityClient
internal import SigV4
internal import TokenSecurityBase

/// The object of a `ts_error`.
final class ErrorObject: Sendable {
  let code: CText
  let message: CText
  let evidence: LazyText
  /// The HTTP status for the sender of a request; 0 for an error that is none of a request.
  let status: Int32

  init(_ error: any Error) {
    let coded = error as? any CodedError ?? CallError.internalError
    code = CText(coded.codeText)
    message = CText(coded.description)
    status = Int32(clamping: Self.status(coded))
    evidence = LazyText { JSONWriter.write(Self.evidence(coded)) }
  }

  private static func status(_ error: any CodedError) -> Int {
    switch error {
    case let error as SigV4Error: error.response.status
    case let error as SessionRequestError: error.response.status
    // Of a request that cannot be built as it was received.
    case CallError.argumentTooLong, CallError.argumentNotUTF8, CallError.argumentOutOfRange: 400
    case CallError.fetchFunctionMissing, CallError.fetchReentered: 503
    case CallError.fetchCancelled, CallError.timedOut: 503
    default: 0
    }
  }

  /// The labelled values of an error's case. Errors have no secrets.
  private static func evidence(_ error: Any, depth: Int = 0) -> JSONObject {
    var found = JSONObject()
    guard depth < 4, let payload = Mirror(reflecting: error).children.first else { return found }
    if let denied = payload.value as? AccessExplanation {
      found["action"] = .string(text(denied.decision.action))
      found["resource"] = .string(text(denied.decision.resource))
      found["reason"] = .string(denied.decision.reason.rawValue)
      return found
    }
    let parts = Mirror(reflecting: payload.value)
    guard parts.displayStyle == .tuple else {
      if payload.value is any CodedError { return evidence(payload.value, depth: depth + 1) }
      found["value"] = .string(text(payload.value))
      return found
    }
    for (index, part) in parts.children.enumerated() {
      let label = part.label.flatMap { $0.utf8.first == UInt8(ascii: ".") ? nil : $0 }
      found[label ?? "value\(index == 0 ? "" : "\(index + 1)")"] = .string(text(part.value))
    }
    return found
  }

  private static func text(_ value: Any) -> String { "\(value)".visible(upTo: 512) }
}
