internal import JOSE
internal import TokenSecurityBase
internal import TokenSecurityCrypto

extension Shape {
  /// JSON, encodings, and what reads members of objects.
  static func documents() -> [Shape] {
    func json(_ name: String, ends outcome: String = "ok", _ text: @escaping (Int) -> String) -> Shape {
      Shape("json-" + name, from: 65_536, ends: outcome) { size in
        let bytes = Array(text(size).utf8)
        return { _ = try JSONValue(parsing: bytes) }
      }
    }
    return [
      json("members") { "{" + filled($0, separator: ",") { "\"m\($0)\":\($0)" } + "}" },
      json("escaped-members") { "{" + filled($0, separator: ",") { "\"\\u006d\($0)\":0" } + "}" },
      json("long-names") { size in
        let long = String(repeating: "a", count: 512)
        return "{" + filled(size, separator: ",") { "\"\(long)\($0)\":0" } + "}"
      },
      json("objects") { "[" + filled($0, separator: ",") { "{\"a\":{\"b\":\($0)}}" } + "]" },
      json("numbers") { "[" + filled($0, separator: ",") { "\($0)e-12" } + "]" },
      json("one-number") { String(repeating: "7", count: $0) },
      json("escapes") { "\"" + filled($0) { _ in "\\u00e9\\n" } + "\"" },
      json("accents") { "\"" + filled($0) { _ in "e\u{301}\u{327}" } + "\"" },
      json("empty-arrays") { "[" + filled($0, separator: ",") { _ in "[]" } + "]" },
      Shape("json-written", from: 65_536) { size in
        let value = JSONValue.array((0..<(size / 8)).map { .string("\u{1}\"\($0)") })
        return { _ = value.description }
      },
      Shape("base64url", from: 65_536) { size in
        let text = String(repeating: "Zm9v", count: size / 4)
        return { _ = try Base64URL.decode(text) }
      },
      Shape("base32", from: 65_536) { size in
        let text = Array(String(repeating: "GEZDGNBV", count: size / 8).utf8)
        return {
          var output = [UInt8](repeating: 0, count: Base32.size(of: text.count))
          var span = output.mutableSpan
          _ = try Base32.decode(text.span, .strict, into: &span)
        }
      },
      Shape("percent-encoding", from: 65_536) { size in
        let text = Array(String(repeating: "%41", count: size / 3).utf8)
        return { _ = PercentEncoding.decode(text.span) }
      },
    ]
  }

  /// Keys and key sets.
  static func keys() throws -> [Shape] {
    let key = try JWK.generate(.es256, keyID: "k")
    let member = key.publicJWK.map { JSONValue.object($0).description } ?? "{}"
    // A set has at most 1,024 keys: shapes of many small keys begin smaller.
    func set(_ name: String, from size: Int = 16_384, _ text: @escaping (Int) -> String) -> Shape {
      Shape("key-set-" + name, from: size) { size in
        let text = "{\"keys\":[" + text(size) + "]}"
        return { _ = try JWKSet(json: text) }
      }
    }
    return [
      set("ec") { filled($0, separator: ",") { _ in member } },
      set("unknown-types", from: 2_500) { filled($0, separator: ",") { "{\"kty\":\"x\($0)\"}" } },
      set("empty-secrets", from: 4_000) {
        filled($0, separator: ",") { _ in "{\"kty\":\"oct\",\"k\":\"\"}" }
      },
      set("secrets", from: 8_192) {
        filled($0, separator: ",") { _ in
          "{\"kty\":\"oct\",\"k\":\"MAABAAEAAQABAAEAAQABAAEAAQABAAEAAQABAAEA\"}"
        }
      },
      set("one-secret") { "{\"kty\":\"oct\",\"k\":\"" + String(repeating: "MIIB", count: $0 / 4) + "\"}" },
      set("private-numbers") { size in
        let part = String(repeating: "q7Y_", count: size / 20)
        return
          "{\"kty\":\"RSA\",\"n\":\"\(String(repeating: "q7Y_", count: 86))\",\"e\":\"AQAB\",\"d\":\"\(part)\",\"p\":\"\(part)\","
          + "\"q\":\"\(part)\",\"dp\":\"\(part)\",\"dq\":\"\(part)\",\"qi\":\"\(part)\"}"
      },
      set("modulus") {
        "{\"kty\":\"RSA\",\"e\":\"AQAB\",\"n\":\"" + String(repeating: "q7Y_", count: $0 / 4) + "\"}"
      },
      set("other-members") { "{\"kty\":\"EC\"," + filled($0, separator: ",") { "\"m\($0)\":0" } + "}" },
      set("operations") {
        "{\"kty\":\"EC\",\"key_ops\":[" + filled($0, separator: ",") { "\"op\($0)\"" } + "]}"
      },
      set("chain") { "{\"kty\":\"EC\",\"x5c\":[" + filled($0, separator: ",") { _ in "\"MIIB\"" } + "]}" },
      Shape("pem-blocks", from: 16_384, ends: "key_type_unknown") { size in
        let text = Array(filled(size) { _ in "-----BEGIN X-----\nAAAA\n-----END X-----\n" }.utf8)
        return { _ = try KeyFile.pem(SecretBytes(text.span)) }
      },
      Shape("pem-lines", from: 16_384, ends: "key_unreadable") { size in
        let text = Array(
          ("-----BEGIN PRIVATE KEY-----\n" + filled(size) { _ in "MIIB\n" } + "-----END PRIVATE KEY-----\n")
            .utf8)
        return { _ = try KeyFile.pem(SecretBytes(text.span)) }
      },
      Shape("der", from: 16_384, ends: "key_unreadable") { size in
        let text = [UInt8](repeating: 0x30, count: size)
        return { _ = try KeyFile.der(SecretBytes(text.span)) }
      },
    ]
  }
}
