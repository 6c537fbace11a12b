internal import TokenSecurityEncodings
internal import JOSE

/// Verdicts for programs.
enum JSONReport {
  static func verdict(_ explanation: Explanation) -> [UInt8] {
    var object = JSONObject()
    add(explanation, to: &object)
    object["checked_at"] = .string("\(explanation.checkedAt)")
    object["checks"] = checks(explanation)
    return JSONWriter.write(object)
  }

  /// The members of a verdict. `claims` is null unless the token is valid: nothing of a refused token
  /// may be taken for true.
  static func add(_ explanation: Explanation, to object: inout JSONObject) {
    object["valid"] = .bool(explanation.isValid)
    object["code"] = explanation.refusal.map { .string($0.codeText) } ?? .null
    object["message"] = explanation.refusal.map { .string("\($0)") } ?? .null
    object["header"] = explanation.header.map { .object($0.parameters) } ?? .null
    object["claims"] = .null
    if case .success(let token) = explanation.result {
      object["claims"] = .object(token.claims.object)
    }
  }

  static func checks(_ explanation: Explanation) -> JSONValue {
    .array(explanation.checks.map { .object(check($0)) })
  }

  private static func check(_ check: Explanation.Check) -> JSONObject {
    var object = JSONObject()
    object["name"] = .string(check.name)
    object["reference"] = check.reference.map(JSONValue.string) ?? .null
    object["expected"] = .string(check.expected)
    object["actual"] = check.actual.map(JSONValue.string) ?? .null
    object["outcome"] = .string(check.outcome.word)
    if case .failed(let error) = check.outcome {
      object["code"] = .string(error.codeText)
      object["message"] = .string("\(error)")
    }
    if case .unchecked(let reason) = check.outcome { object["because"] = .string(reason) }
    return object
  }

  static func inspection(_ token: UnverifiedToken) -> [UInt8] {
    var object = JSONObject()
    object["verified"] = false
    object["warning"] = .string(TextReport.warning)
    object["header"] = .object(token.header.parameters)
    object["unverified_claims"] = .object(token.claims.object)
    object["signature_bytes"] = .number(JSONNumber(token.signature.count))
    return JSONWriter.write(object)
  }

  static func unreadable(_ error: JOSEError) -> [UInt8] {
    var object = JSONObject()
    object["verified"] = false
    object["code"] = .string(error.codeText)
    object["message"] = .string("\(error)")
    return JSONWriter.write(object)
  }

  static func keys(_ set: JWKSet) throws -> [UInt8] {
    var object = JSONObject()
    object["keys"] = .array(
      try KeyListing.entries(set).map { entry in
        var key = JSONObject()
        key["index"] = .number(JSONNumber(entry.index))
        key["kid"] = entry.keyID.map(JSONValue.string) ?? .null
        key["kind"] = entry.kind.map(JSONValue.string) ?? .null
        key["bits"] = entry.bits.map { .number(JSONNumber($0)) } ?? .null
        key["algorithms"] = .array(entry.algorithms.map(JSONValue.string))
        key["thumbprint"] = entry.thumbprint.map(JSONValue.string) ?? .null
        key["usable"] = .bool(entry.refusal == nil)
        key["code"] = entry.refusal.map { .string($0.codeText) } ?? .null
        key["message"] = entry.refusal.map { .string("\($0)") } ?? .null
        key["warnings"] = .array(entry.warnings.map { .string($0.rawValue) })
        return .object(key)
      })
    return JSONWriter.write(object)
  }
}
