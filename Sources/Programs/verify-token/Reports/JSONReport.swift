internal import JOSE
internal import TokenSecurityBase

/// Results as JSON.
enum JSONReport {
  static func verdict(_ explanation: Explanation) -> JSONObject {
    var object = summary(explanation)
    object["checked_at"] = .string("\(explanation.checkedAt)")
    object["checks"] = checks(explanation)
    return object
  }

  /// The result without the checks. `claims` is null unless the token is valid, so that claims of a refused
  /// token are not used by mistake.
  static func summary(_ explanation: Explanation) -> JSONObject {
    var object = result(explanation.error)
    object["header"] = explanation.header.map { .object($0.parameters) } ?? .null
    object["claims"] = .null
    if case .success(let token) = explanation.result { object["claims"] = .object(token.claims.object) }
    return object
  }

  /// The summary of a token whose keys could not be fetched. `valid` is null: nothing was decided.
  static func undecided(code: String, message: String) -> JSONObject {
    [
      "valid": .null, "code": .string(code), "message": .string(message), "header": .null, "claims": .null,
    ]
  }

  /// `valid`, `code` and `message`. Valid without an error.
  static func result(_ error: (any CodedError)?) -> JSONObject {
    [
      "valid": .bool(error == nil), "code": JSONValue(error?.codeText),
      "message": JSONValue(error.map { "\($0)" }),
    ]
  }

  static func checks(_ explanation: Explanation) -> JSONValue {
    .array(explanation.checks.map { .object($0.json) })
  }

  static func inspection(_ token: UnverifiedToken) -> JSONObject {
    [
      "verified": false, "warning": .string(TextReport.warning), "header": .object(token.header.parameters),
      "unverified_claims": .object(token.claims.object), "signature_bytes": JSONValue(token.signature.count),
    ]
  }

  /// A token that cannot be parsed.
  static func malformed(_ error: JOSEError) -> JSONObject {
    ["verified": false, "code": .string(error.codeText), "message": .string("\(error)")]
  }

  static func keys(_ set: JWKSet) throws -> JSONObject {
    let keys: [JSONValue] = try KeyListing.entries(set).map { entry in
      [
        "index": JSONValue(entry.index), "kid": JSONValue(entry.keyID), "kind": JSONValue(entry.kind),
        "bits": JSONValue(entry.bits), "algorithms": .array(entry.algorithms.map(JSONValue.string)),
        "thumbprint": JSONValue(entry.thumbprint), "usable": .bool(entry.error == nil),
        "code": JSONValue(entry.error?.codeText), "message": JSONValue(entry.error.map { "\($0)" }),
        "warnings": .array(entry.warnings.map { .string($0.rawValue) }),
      ]
    }
    return ["keys": .array(keys)]
  }
}
