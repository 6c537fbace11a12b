internal import JOSE
internal import OpenIDConnect
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

// Verifying tokens.

/// Makes a verifier from a policy in JSON. Keys that the policy locates at an address are fetched with the function of
/// ts_verifier_set_fetch when they are needed, and cached. The verifier starts no thread.
///
/// - Parameters:
///   - policy: the policy, UTF-8. The guide of the C interface lists its members.
///   - policyLength: its bytes, at most 1 MiB.
///   - keys: the keys of issuers whose `keys` are `"given"`: a JWK set, a JWK, PEM or DER. NULL for none. Copied.
///   - keysLength: their bytes.
///   - verifier: receives the verifier, which the caller owns.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error.
@c(ts_verifier_create)
public func verifierCreate(
  _ policy: UnsafePointer<CChar>?, _ policyLength: UInt, _ keys: UnsafePointer<UInt8>?, _ keysLength: UInt,
  _ verifier: UnsafeMutablePointer<VerifierHandle?>?, _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let output = try unsafe result(verifier, "verifier")
    let json = Array(try unsafe Arguments.text(policy, policyLength, "policy").utf8)
    let given: JWKSet? =
      try unsafe keys == nil && keysLength == 0
      ? nil : KeyFile.read(unsafe Arguments.secret(keys, keysLength, "keys"))
    unsafe output.pointee = Handle.make(try VerifierObject(PolicyDocument(json, keys: given)))
  }
}

/// Frees a verifier. Nothing happens for NULL and for a handle of another kind.
///
/// - Parameter verifier: the verifier, which the caller owns. No other thread may use it any more.
@c(ts_verifier_free)
public func verifierFree(_ verifier: VerifierHandle?) {
  unsafe Handle.free(verifier, as: VerifierObject.self)
}

/// Verifies a compact token. With fresh keys it never waits. Where keys are missing, or the token names one that is not cached,
/// this thread fetches them, or waits for the thread that does; where they have expired, one thread fetches, and the others use
/// them meanwhile. Any number of threads may call it with one verifier.
///
/// - Parameters:
///   - verifier: the verifier.
///   - token: the token, UTF-8.
///   - tokenLength: its bytes.
///   - now: the time of the verification in seconds since 1970; TS_NOW for the current time.
///   - timeoutMilliseconds: the most time for fetches and for waiting, in milliseconds; 0 to use cached keys only.
///   - verified: receives the verified token, which the caller owns.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error: the first rule that the token breaks, or why there are no keys, as for
///   ts_verifier_refresh; `keys_not_held` for a time of 0.
@c(ts_verifier_verify)
public func verifierVerify(
  _ verifier: VerifierHandle?, _ token: UnsafePointer<CChar>?, _ tokenLength: UInt, _ now: Int64,
  _ timeoutMilliseconds: UInt32, _ verified: UnsafeMutablePointer<TokenHandle?>?,
  _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let output = try unsafe result(verified, "verified")
    let object = try unsafe Handle.object(verifier, "verifier", as: VerifierObject.self)
    let compact = try unsafe Arguments.text(token, tokenLength, "token")
    unsafe output.pointee = Handle.make(
      TokenObject(
        try object.verify(
          compact, at: Instants.date(now), within: TimeLimit(milliseconds: timeoutMilliseconds))))
  }
}

/// Maximum number of tokens in a batch.
private let tokenLimit: UInt = 1 << 20

/// Verifies several tokens. If the call itself fails, all results are NULL, except where `count` was refused.
///
/// - Parameters:
///   - verifier: the verifier.
///   - tokens: the tokens, UTF-8.
///   - tokenLengths: the bytes of each.
///   - count: the number of tokens, at most 1,048,576.
///   - now: the time of the verification in seconds since 1970; TS_NOW for the current time.
///   - timeoutMilliseconds: the most time for fetches and for waiting, for all tokens together; 0 to use cached keys only.
///   - verified: receives a token for each that is valid, and NULL for the others. The caller owns them.
///   - errors: receives an error for each token that is not valid, and NULL for the others. The caller owns them. NULL if
///     they are not wanted. If the function that fetches gives up, it is not called again for this batch: the tokens after that
///     which need it have `fetch_cancelled`.
///   - error: receives the error of the call, which the caller owns; NULL if it is not wanted.
/// - Returns: 0 if each token has its result, 1 if the arguments cannot be used.
@c(ts_verifier_verify_batch)
public func verifierVerifyBatch(
  _ verifier: VerifierHandle?, _ tokens: UnsafePointer<UnsafePointer<CChar>?>?,
  _ tokenLengths: UnsafePointer<UInt>?, _ count: UInt, _ now: Int64, _ timeoutMilliseconds: UInt32,
  _ verified: UnsafeMutablePointer<TokenHandle?>?, _ errors: UnsafeMutablePointer<ErrorHandle?>?,
  _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    guard count <= tokenLimit else {
      throw CallError.argumentOutOfRange("count", rule: "is \(count); at most \(tokenLimit) are allowed")
    }
    unsafe verified?.update(repeating: nil, count: Int(count))
    unsafe errors?.update(repeating: nil, count: Int(count))
    let object = try unsafe Handle.object(verifier, "verifier", as: VerifierObject.self)
    guard count > 0 else { return }
    guard let tokens = unsafe tokens else { throw CallError.argumentMissing("tokens") }
    guard let lengths = unsafe tokenLengths else { throw CallError.argumentMissing("token_lengths") }
    guard let verified = unsafe verified else { throw CallError.argumentMissing("verified") }
    let date = Instants.date(now)
    let limit = TimeLimit(beginning: timeoutMilliseconds)
    for index in 0..<Int(count) {
      do {
        let compact = try unsafe Arguments.text(tokens[index], lengths[index], "tokens")
        let token = try object.verify(compact, at: date, within: limit)
        unsafe verified[index] = Handle.make(TokenObject(token))
      } catch {
        if let errors = unsafe errors { unsafe errors[index] = Handle.make(ErrorObject(error)) }
      }
    }
  }
}

/// Verifies a token and reports every check as JSON: `valid`, `code`, `message`, `header`, `claims` (null unless the token
/// is valid), `checked_at`, `checks` with `name`, `reference`, `expected`, `actual`, `outcome`, and `text`, the same as a table
/// for people. For operators, not for those who sent the token.
///
/// - Parameters:
///   - verifier: the verifier.
///   - token: the token, UTF-8.
///   - tokenLength: its bytes.
///   - now: the time of the verification in seconds since 1970; TS_NOW for the current time.
///   - timeoutMilliseconds: the most time for fetches and for waiting, in milliseconds; 0 to use cached keys only.
///   - json: receives the explanation, which the caller owns.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, also for a token that is refused; 1 for an error that prevented the verification.
@c(ts_verifier_explain)
public func verifierExplain(
  _ verifier: VerifierHandle?, _ token: UnsafePointer<CChar>?, _ tokenLength: UInt, _ now: Int64,
  _ timeoutMilliseconds: UInt32, _ json: UnsafeMutablePointer<BufferHandle?>?,
  _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let output = try unsafe result(json, "json")
    let object = try unsafe Handle.object(verifier, "verifier", as: VerifierObject.self)
    let compact = try unsafe Arguments.text(token, tokenLength, "token")
    let explanation = try object.explain(
      compact, at: Instants.date(now), within: TimeLimit(milliseconds: timeoutMilliseconds))
    unsafe output.pointee = Handle.make(BufferObject(ExplanationText.json(explanation)))
  }
}
