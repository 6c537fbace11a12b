internal import JOSE
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityVectorFiles

/// The signatures of `ed25519.json`, whose messages are JWS signing inputs, as tokens with keys in JWK form.
@Suite struct Ed25519TokenTests {
  static let cases = Result { try VectorFile.load("ed25519").cases }

  @Test(arguments: try cases.get())
  func verdict(vector: VectorFile.Case) throws {
    let x = Base64URL.string(try bytes(vector, "key"))
    let key = #"{"kty":"OKP","crv":"Ed25519","x":"\#(x)"}"#
    guard let code = vector.reject else {
      #expect(throws: Never.self) { try verify(vector, key) }
      return
    }
    #expect { try verify(vector, key) } throws: { ($0 as? JOSEError)?.codeText == code }
  }

  private func verify(_ vector: VectorFile.Case, _ key: String) throws -> VerifiedPayload {
    let input = String(decoding: try bytes(vector, "message"), as: UTF8.self)
    let compact = try input + "." + Base64URL.string(bytes(vector, "signature"))
    return try JWSVerifier(keys: JWKSet([JWK(json: key)])).verify(compact: compact)
  }

  private func bytes(_ vector: VectorFile.Case, _ name: String) throws -> [UInt8] {
    try Hex.decode(try #require(vector.input[name]?.string))
  }
}
