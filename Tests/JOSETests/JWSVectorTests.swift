internal import Foundation
internal import JOSE
internal import Testing
internal import TokenSecurityVectorFiles

/// The examples of the standards: each verifies, and deterministic ones are reproduced exactly.
@Suite struct JWSVectorTests {
  static let cases = Result {
    try ["rfc7515-jws", "rfc7520-jws", "rfc7797-unencoded", "rfc8037-eddsa"].flatMap { name in
      try VectorFile.load(name).cases.map { Example(suite: name, vector: $0) }
    }
  }

  struct Example: Sendable, CustomTestStringConvertible {
    let suite: String
    let vector: VectorFile.Case
    var testDescription: String { "\(suite) \(vector.id)" }
  }

  @Test(arguments: try cases.get())
  func verifies(_ example: Example) throws {
    let input = example.vector.input
    try VectorFile.Case.check(
      input, knows: ["keys", "compact", "json", "detached_payload", "unprotected_algorithm"])
    if let code = example.vector.reject {
      #expect { try verify(input) } throws: { ($0 as? JOSEError)?.codeText == code }
      return
    }
    let expect = try #require(example.vector.expect)
    try VectorFile.Case.check(expect, knows: ["payload", "algorithm", "reproducible", "signatures"])
    let verified = try verify(input)
    #expect(String(decoding: verified.payload, as: UTF8.self) == expect["payload"]?.string)
    #expect(verified.signatures.first?.algorithm.name == expect["algorithm"]?.string)
    #expect(verified.signatures.count == Int(expect["signatures"]?.int64 ?? 1))
    if expect["reproducible"] == true { try reproduces(input) }
  }

  /// A signed text with any bit flipped is refused.
  @Test(arguments: try cases.get().filter { $0.vector.expect != nil && $0.vector.input["compact"] != nil })
  func everyChangedCharacterRefuses(_ example: Example) throws {
    let compact = Array(try #require(example.vector.input["compact"]?.string).utf8)
    for place in compact.indices {
      var changed = compact
      changed[place] = changed[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      var input = example.vector.input
      input["compact"] = .string(String(decoding: changed, as: UTF8.self))
      #expect(throws: JOSEError.self) { try verify(input) }
    }
  }

  private func verify(_ input: JSONObject) throws -> VerifiedPayload {
    let verifier = try JWSVerifier(keys: keys(input))
    let detached = input["detached_payload"]?.string.map { Array($0.utf8) }
    if let compact = input["compact"]?.string {
      if input["unencoded"] == true { return try verifier.verify(unencodedCompact: compact) }
      guard let detached else { return try verifier.verify(compact: compact) }
      return try verifier.verify(compact: compact, detachedPayload: detached)
    }
    return try verifier.verify(
      json: try #require(input["json"]?.string), detachedPayload: detached,
      unprotectedAlgorithm: input["unprotected_algorithm"] == true
        ? .allowed(because: "RFC 7520 section 4.7 shows it") : .refused)
  }

  private func keys(_ input: JSONObject) throws -> JWKSet {
    var set = JSONObject()
    set["keys"] = input["keys"]
    return try JWKSet(json: JSONValue.object(set).description)
  }

  /// Signs the same header and payload again, with the white space of the header.
  private func reproduces(_ input: JSONObject) throws {
    let compact = try #require(input["compact"]?.string)
    let parts = compact.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let key = try #require(try keys(input).keys.first)
    let header = try JSONValue(parsing: Base64URL.decode(parts[0]))
    let algorithm = try #require(Algorithm(name: header.object?["alg"]?.string ?? ""))
    #expect(
      Base64URL.string(
        try JWSSigner(key: key, algorithm: algorithm).signature(over: Array((parts[0] + "." + parts[1]).utf8))
      )
        == parts[2])
  }

  /// ietf-jose/cookbook, if the folder of further vectors is present.
  @Test(.enabled(if: VectorFile.extra != nil, "VECTORS_EXTRA names no folder of further suites"))
  func cookbook() throws {
    let folder = try #require(VectorFile.extra)
    let file = try JSONValue(parsing: VectorFile.bytes("\(folder)/jose-cookbook.json"))
    let cases = try #require(file.object?["cases"]?.object)
    #expect(cases.members.count == 17)
    for entry in cases.members {
      let object = try #require(entry.value.object)
      if entry.name.hasPrefix("jwk/") {
        let key = try JWK(json: entry.value.description)
        #expect(key.keyID == object["kid"]?.string, "\(entry.name)")
        #expect(key.isPrivate == (object["d"] != nil || object["k"] != nil), "\(entry.name)")
        continue
      }
      let input = try #require(object["input"]?.object)
      let payload = try #require(input["payload"]?.string)
      let key = try #require(input["key"])
      let keys = key.array ?? [key]
      for form in try #require(object["output"]?.object).members {
        var call = JSONObject()
        call["keys"] = .array(keys)
        call["unprotected_algorithm"] = true
        if form.name == "compact" {
          call["compact"] = form.value
          if form.value.string?.contains("payload string!") == true { call["unencoded"] = true }
          if form.value.string?.contains("..") == true { call["detached_payload"] = .string(payload) }
        } else {
          call["json"] = .string(form.value.description)
          if form.value.object?["payload"] == nil { call["detached_payload"] = .string(payload) }
        }
        // This case is from a draft of RFC 7797: its header lacks "crit", which section 6 requires.
        if entry.name == "rfc7797/4.2.hmac-sha2_b64_false.json" {
          #expect(throws: JOSEError.unencodedNotCritical) { try verify(call) }
          continue
        }
        #expect(try verify(call).payload == Array(payload.utf8), "\(entry.name) \(form.name)")
      }
    }
  }
}
