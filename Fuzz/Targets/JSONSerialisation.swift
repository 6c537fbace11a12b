import JOSE

/// JWS in its JSON serialisations, and the compact forms with detached and unencoded payloads.
private let verifier = try? JWSVerifier(
  keys: JWKSet(
    json:
      #"{"kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"}"#
  ))

/// Runs one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard let verifier else { return -1 }
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  _ = try? verifier.verify(json: text)
  _ = try? verifier.verify(
    json: text, required: .atLeast(1), unprotectedAlgorithm: .allowed(because: "fuzzing"))
  _ = try? verifier.verify(json: text, detachedPayload: Array("$.02".utf8))
  _ = try? verifier.verify(compact: text)
  _ = try? verifier.verify(unencodedCompact: text)
  _ = try? verifier.verify(compact: text, detachedPayload: Array("$.02".utf8))
  return 0
}
