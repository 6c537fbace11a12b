internal import TokenSecurityBase

/// The object of a `ts_error`.
final class ErrorObject: Sendable {
  let code: CText
  let message: CText
  let evidence: LazyText

  init(_ error: any Error) {
    let coded = error as? any CodedError ?? CallError.internalError
    code = CText(coded.codeText)
    message = CText(coded.description)
    evidence = LazyText { JSONWriter.write(Self.evidence(coded)) }
  }

  /// The labelled values of an error's case. Errors have no secrets.
  private static func evidence(_ error: Any, depth: Int = 0) -> JSONObject {
    var found = JSONObject()
    guard depth < 4, let payload = Mirror(reflecting: error).children.first else { return found }
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
