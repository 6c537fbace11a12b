internal import JOSE
internal import TokenSecurityBase

/// An explanation as JSON.
enum ExplanationText {
  static func json(_ explanation: Explanation) -> [UInt8] {
    var object = JSONObject()
    var failure: JOSEError?
    object["claims"] = .null
    switch explanation.result {
    case .success(let token): object["claims"] = .object(token.claims.object)
    case .failure(let error): failure = error
    }
    object["valid"] = .bool(failure == nil)
    object["code"] = JSONValue(failure?.codeText)
    object["message"] = JSONValue(failure.map { "\($0)" })
    object["header"] = explanation.header.map { .object($0.parameters) } ?? .null
    object["checked_at"] = .string("\(explanation.checkedAt)")
    object["checks"] = .array(explanation.checks.map { .object($0.json) })
    object["text"] = .string("\(explanation)")
    return JSONWriter.write(object)
  }
}
