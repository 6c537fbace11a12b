internal import JOSE
internal import OpenIDConnect
internal import TokenSecurityBase
internal import TokenSecurityCrypto

extension Shape {
  private static func part(_ json: String) -> String { Base64URL.string(Array(json.utf8)) }

  /// Compact tokens and JWS, before and after the signature.
  static func tokens() throws -> [Shape] {
    let sample = try SampleToken(.hs256)
    let verifier = try sample.verifier()
    let signer = try TokenSigner(key: sample.key, type: nil)
    let jws = try JWSVerifier(keys: JWKSet([sample.key]))
    let kid = sample.key.keyID ?? ""
    func header(_ name: String, ends outcome: String, _ members: @escaping (Int) -> String) -> Shape {
      Shape("token-header-" + name, from: 1_500, ends: outcome) { size in
        let text =
          part("{\"alg\":\"HS256\",\"kid\":\"\(kid)\"," + members(size) + "}") + ".e30."
          + String(repeating: "A", count: 43)
        return {
          defer { _ = verifier.explain(text, at: SampleToken.now) }
          _ = try verifier.verify(text, at: SampleToken.now)
        }
      }
    }
    func claims(_ name: String, ends outcome: String, _ members: @escaping (Int) -> (String, JSONValue))
      -> Shape
    {
      Shape("token-claims-" + name, from: 1_200, ends: outcome) { size in
        var claims = try UnverifiedToken(sample.compact).claims
        let (name, value) = members(size)
        claims[name] = value
        let text = try signer.sign(claims)
        return {
          defer { _ = verifier.explain(text, at: SampleToken.now) }
          _ = try verifier.verify(text, at: SampleToken.now)
        }
      }
    }
    func texts(_ size: Int) -> JSONValue { .array((0..<(size / 10)).map { .string("value-\($0)") }) }
    return [
      header("members", ends: "signature_invalid") { filled($0, separator: ",") { "\"m\($0)\":0" } },
      header("critical", ends: "crit_not_understood") {
        "\"crit\":[" + filled($0 / 2, separator: ",") { "\"c\($0)\"" } + "],"
          + filled($0 / 2, separator: ",") { "\"c\($0)\":0" }
      },
      header("key-id", ends: "signature_invalid") {
        "\"typ\":\"" + String(repeating: "a", count: $0) + "\",\"x\":0"
      },
      claims("audiences", ends: "claim_unexpected") { ("aud", texts($0)) },
      claims("groups", ends: "ok") { ("cognito:groups", texts($0)) },
      claims("object", ends: "ok") { size in
        (
          "extra",
          .object((0..<(size / 12)).reduce(into: JSONObject()) { $0["m\($1)"] = .number(JSONNumber($1)) })
        )
      },
      Shape("token-dots", from: 4_000, ends: "not_compact") { size in
        let text = String(repeating: ".", count: size)
        return { _ = try verifier.verify(text, at: SampleToken.now) }
      },
      Shape("token-one-part", from: 4_000, ends: "not_compact") { size in
        let text = String(repeating: "a", count: size)
        return { _ = try verifier.verify(text, at: SampleToken.now) }
      },
      Shape("jws-signatures", from: 300, ends: "signatures_missing") { size in
        let entry =
          "{\"protected\":\"\(part("{\"alg\":\"HS256\"}"))\",\"signature\":\"\(String(repeating: "A", count: 43))\"}"
        let text =
          "{\"payload\":\"e30\",\"signatures\":[" + filled(size, separator: ",") { _ in entry } + "]}"
        return { _ = try jws.verify(json: text, required: .atLeast(1)) }
      },
      Shape("jws-members", from: 4_000, ends: "signature_invalid") { size in
        let text =
          "{\"payload\":\"e30\",\"protected\":\"\(part("{\"alg\":\"HS256\"}"))\",\"signature\":\"\(String(repeating: "A", count: 43))\",\"header\":{"
          + filled(size, separator: ",") { "\"m\($0)\":0" } + "}}"
        return { _ = try jws.verify(json: text) }
      },
    ]
  }

  /// Proofs, descriptions of providers, addresses.
  static func openID() throws -> [Shape] {
    let cache = TokenReplayCache()
    let rules = DPoPRules(isNew: { cache.insert($0, until: $1, at: $2) })
    let address = try HTTPURL("https://api.example/orders")
    func proof(_ name: String, ends outcome: String, _ key: @escaping (Int) -> String) -> Shape {
      Shape("proof-" + name, from: 1_400, ends: outcome) { size in
        let header = "{\"alg\":\"RS256\",\"typ\":\"dpop+jwt\",\"jwk\":" + key(size) + "}"
        let text = part(header) + "." + part("{\"jti\":\"a\"}") + ".AAAA"
        return {
          _ = try rules.verify(text, method: "GET", address: address, accessToken: nil, at: SampleToken.now)
        }
      }
    }
    let modulus = String(repeating: "q7Y_", count: 86)
    return [
      proof("private-numbers", ends: "proof_key") { size in
        let half = String(repeating: "q7Y_", count: size / 8)
        return
          "{\"kty\":\"RSA\",\"n\":\"\(modulus)\",\"e\":\"AQAB\",\"d\":\"Aw\",\"p\":\"\(half)\",\"q\":\"Aw\",\"dp\":\"\(half)\",\"dq\":\"Aw\",\"qi\":\"Aw\"}"
      },
      proof("private-exponent", ends: "proof_key") { size in
        "{\"kty\":\"RSA\",\"n\":\"\(modulus)\",\"e\":\"AQAB\",\"d\":\"\(String(repeating: "q7Y_", count: size / 4))\"}"
      },
      proof("secret-as-key-file", ends: "proof_key") { size in
        // The shape of a private key in PKCS #8 with one large number.
        let body = [UInt8](repeating: 0x5B, count: size / 4 * 3)
        let inner = der(0x30, der(0x02, [0]) + der(0x02, body) + der(0x02, [3]))
        let outer = der(
          0x30,
          der(0x02, [0]) + der(0x30, der(0x06, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1]) + [5, 0])
            + der(0x04, inner))
        return "{\"kty\":\"oct\",\"k\":\"\(Base64URL.string(outer))\"}"
      },
      proof("modulus", ends: "proof_key") { size in
        "{\"kty\":\"RSA\",\"e\":\"AQAB\",\"n\":\"\(String(repeating: "q7Y_", count: size / 4))\"}"
      },
      proof("members", ends: "proof_key") {
        "{\"kty\":\"EC\"," + filled($0, separator: ",") { "\"m\($0)\":0" } + "}"
      },
      Shape("provider-metadata", from: 16_384, ends: "discovery_invalid") { size in
        let text = Array(
          ("{\"issuer\":\"https://op.example\"," + filled(size, separator: ",") { "\"m\($0)\":[]" } + "}")
            .utf8)
        return { _ = try ProviderMetadata(text, issuer: "https://op.example") }
      },
      Shape("web-address", from: 450, ends: "address_invalid") { size in
        let text = "https://" + filled(size) { _ in "a." } + "example"
        return { _ = try HTTPURL(text) }
      },
    ]
  }

  /// One value in DER.
  static func der(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    if count < 0x80 { return [tag, UInt8(count)] + content }
    if count < 0x100 { return [tag, 0x81, UInt8(count)] + content }
    return [tag, 0x82, UInt8(count >> 8), UInt8(count & 0xFF)] + content
  }
}
