internal import SigV4
internal import TokenSecurityBase

extension JSONReport {
  static func verdict(_ explanation: RequestExplanation) -> JSONObject {
    var object = result(explanation.error)
    object["checked_at"] = .string(explanation.checkedAt.amzDate)
    object["signature"] = explanation.parameters.map(signature) ?? .null
    object["checks"] = .array(explanation.checks.map(check))
    object["diagnoses"] = .array(
      explanation.diagnoses.map {
        ["code": .string($0.code), "sentence": .string($0.sentence), "proven": .bool($0.isConfirmed)]
      })
    object["canonical_request"] = JSONValue(explanation.canonicalRequest?.description)
    object["string_to_sign"] = JSONValue(explanation.stringToSign)
    object["other_canonical_request"] = JSONValue(explanation.server?.canonicalRequest)
    object["other_string_to_sign"] = JSONValue(explanation.server?.stringToSign)
    object["difference"] =
      explanation.difference.map {
        [
          "line": JSONValue($0.line), "part": .string($0.part), "ours": JSONValue($0.ours),
          "theirs": JSONValue($0.theirs),
        ]
      } ?? .null
    return object
  }

  private static func signature(_ parameters: SignatureParameters) -> JSONValue {
    [
      "placement": .string(parameters.placement.name),
      "algorithm": .string(parameters.algorithm.name),
      "access_key": .string(parameters.accessKeyID), "scope": .string("\(parameters.scope)"),
      "date": .string(parameters.date.amzDate), "expires": JSONValue(parameters.expires?.wholeSeconds),
      "signed_headers": .array(parameters.signedHeaders.map(JSONValue.string)),
      "region_set": .array(parameters.regionSet.map(JSONValue.string)),
      "has_session_token": .bool(parameters.sessionToken != nil),
    ]
  }

  private static func check(_ check: RequestExplanation.Check) -> JSONValue {
    var object: JSONObject = [
      "name": .string(check.name), "outcome": .string(check.error == nil ? "passed" : "failed"),
    ]
    if let error = check.error {
      object["code"] = .string(error.codeText)
      object["message"] = .string("\(error)")
    }
    return .object(object)
  }

  /// A signed request, which is sent with the headers of `head`.
  static func signed(_ signed: SignedRequest, _ head: RequestHead) -> JSONObject {
    [
      "method": .string(signed.head.method),
      "target": .string(String(decoding: signed.head.target, as: UTF8.self)), "url": .string(signed.url),
      "headers": .array(
        head.headers.map {
          [.string($0.name), .string(String(decoding: $0.value, as: UTF8.self))]
        }),
      "signature": .string(signed.signature),
      "canonical_request": .string(signed.canonicalRequest.description),
      "string_to_sign": .string(String(decoding: signed.stringToSign, as: UTF8.self)),
    ]
  }

  static func lint(_ lint: PresignedLint) -> JSONObject {
    [
      "verified": false, "method": .string(lint.request.head.method),
      "host": JSONValue(lint.request.head["host"]),
      "path": .string(String(decoding: lint.request.head.path, as: UTF8.self)),
      "signature": signature(lint.request.parameters), "end": .string(lint.expiration.amzDate),
      "findings": .array(
        lint.findings.map {
          ["code": .string($0.code), "fault": .bool($0.isError), "sentence": .string($0.sentence)]
        }),
    ]
  }
}
