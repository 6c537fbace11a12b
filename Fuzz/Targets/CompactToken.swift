import JOSE

/// Any token is accepted or refused with an error, and explanations agree.
private let key = try? JWK(
  json:
    #"{"kty":"oct","k":"AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"}"#
)
private let verifier = key.flatMap { key in
  try? TokenVerifier(
    keys: JWKSet([key]), policy: TokenPolicy(issuer: "joe", audience: .unchecked(because: "fuzzing")))
}

private let cachingVerifier = key.flatMap { key in
  try? TokenVerifier(
    keys: JWKSet([key]), policy: TokenPolicy(issuer: "joe", audience: .unchecked(because: "fuzzing")),
    cache: VerifiedTokenCache(capacity: 8, byteLimit: 1 << 16))
}

private let paddingVerifier = key.flatMap { key -> TokenVerifier? in
  var policy = TokenPolicy(issuer: "joe", audience: .unchecked(because: "fuzzing"))
  policy.signature.acceptsPadding = true
  return try? TokenVerifier(keys: JWKSet([key]), policy: policy)
}

/// Runs one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard let verifier else { return -1 }
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  let now = NumericDate(seconds: 1_300_819_379)
  var code: JOSEError.Code? = nil
  do {
    let token = try verifier.verify(text, at: now)
    precondition(token.compact == text)
    _ = token.claims.object
    _ = token.claims.audience
  } catch {
    code = error.code
    precondition(!error.description.isEmpty && error.description.utf8.count < 4_096)
  }
  // A cache does not change the result, whatever it contains.
  for _ in 0..<2 {
    var cachedCode: JOSEError.Code? = nil
    do {
      let token = try cachingVerifier?.verify(text, at: now)
      precondition(token?.compact == text)
    } catch {
      cachedCode = (error as? JOSEError)?.code
    }
    precondition(cachedCode == code)
  }
  // If a token is accepted with and without padding, both have the same contents.
  if let padded = paddingVerifier, let token = try? padded.verify(text, at: now) {
    precondition(code == nil || text.contains("="))
    _ = token.claims.object
  }
  let explanation = verifier.explain(text, at: now)
  switch explanation.result {
  case .success: precondition(code == nil)
  case .failure(let error): precondition(error.code == code)
  }
  return 0
}
