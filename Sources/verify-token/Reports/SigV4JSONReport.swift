internal import TokenSecurityEncodings
internal import SigV4

/// Verdicts on requests, for programs.
enum SigV4JSONReport {
  static func verdict(_ explanation: RequestExplanation) -> [UInt8] {
    var object = fault(explanation.error)
    object["checked_at"] = .string(explanation.checkedAt.amzDate)
    object["signature"] = explanation.parameters.map { .object(parameters($0)) } ?? .null
    object["checks"] = .array(
      explanation.checks.map { check in
        var entry: JSONObject = [
          "name": .string(check.name), "outcome": .string(check.error == nil ? "passed" : "failed"),
        ]
        if let fault = check.error {
          entry["code"] = .string(fault.codeText)
          entry["message"] = .string("\(fault)")
        }
        return .object(entry)
      })
    object["diagnoses"] = .array(
      explanation.diagnoses.map {
        .object(["code": .string($0.code), "sentence": .string($0.sentence), "proven": .bool($0.isConfirmed)])
      })
    object["canonical_request"] = text(explanation.canonicalRequest?.description)
    object["string_to_sign"] = text(explanation.stringToSign)
    object["other_canonical_request"] = text(explanation.other?.canonicalRequest)
    object["other_string_to_sign"] = text(explanation.other?.stringToSign)
    object["difference"] =
      explanation.difference.map {
        .object([
          "line": .number(JSONNumber($0.line)), "part": .string($0.part), "ours": text($0.ours),
          "theirs": text($0.theirs),
        ])
      } ?? .null
    return JSONWriter.write(object)
  }

  static func refusal(_ error: SigV4Error) -> [UInt8] { JSONWriter.write(fault(error)) }

  private static func fault(_ error: SigV4Error?) -> JSONObject {
    [
      "valid": .bool(error == nil), "code": text(error?.codeText),
      "message": text(error.map { "\($0)" }),
    ]
  }

  private static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

  private static func parameters(_ parameters: SignatureParameters) -> JSONObject {
    [
      "placement": .string(parameters.placement.name),
      "algorithm": .string(parameters.algorithm.name),
      "access_key": .string(parameters.accessKeyID), "scope": .string("\(parameters.scope)"),
      "date": .string(parameters.date.amzDate),
      "expires": parameters.expires.map { .number(JSONNumber($0.wholeSeconds)) } ?? .null,
      "signed_headers": .array(parameters.signedHeaders.map(JSONValue.string)),
      "region_set": .array(parameters.regionSet.map(JSONValue.string)),
      "has_session_token": .bool(parameters.sessionToken != nil),
    ]
  }

  static func signed(_ signed: SignedRequest) -> [UInt8] {
    JSONWriter.write(
      [
        "method": .string(signed.head.method),
        "target": .string(String(decoding: signed.head.target, as: UTF8.self)),
        "url": .string(signed.url),
        "headers": .array(
          signed.head.headers.map {
            .array([.string($0.name), .string(String(decoding: $0.value, as: UTF8.self))])
          }),
        "signature": .string(signed.signature),
        "canonical_request": .string(signed.canonicalRequest.description),
        "string_to_sign": .string(String(decoding: signed.stringToSign, as: UTF8.self)),
      ] as JSONObject)
  }

  static func lint(_ lint: PresignedLint) -> [UInt8] {
    JSONWriter.write(
      [
        "verified": false, "method": .string(lint.request.head.method),
        "host": text(lint.request.head["host"]),
        "path": .string(String(decoding: lint.request.head.path, as: UTF8.self)),
        "signature": .object(parameters(lint.request.parameters)), "end": text(lint.end?.amzDate),
        "findings": .array(
          lint.findings.map {
            .object(["code": .string($0.code), "fault": .bool($0.isError), "sentence": .string($0.sentence)])
          }),
      ] as JSONObject)
  }
}
