internal import HTTPExchange
internal import JOSE
internal import OpenIDConnect

// Senders of tokens that are bound to a key.

/// The object of a `ts_proof_verifier`.
final class ProofVerifierObject: Sendable {
  let rules: DPoPRules

  init(capacity: Int) {
    let replays = DPoPRules.replays(capacity: capacity)
    rules = DPoPRules { name, end, now in replays.insert(name, until: end, at: now) }
  }
}

/// Makes a verifier of DPoP proofs (RFC 9449). It accepts each proof once, for 60 seconds.
///
/// - Parameters:
///   - capacity: the most proofs that it remembers, about 200 bytes each, 1 to 100,000,000. If it is full of proofs that have
///     not expired, it refuses new ones.
///   - verifier: receives the verifier, which the caller owns.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error.
@c(ts_proof_verifier_create)
public func proofVerifierCreate(
  _ capacity: UInt, _ verifier: UnsafeMutablePointer<ProofVerifierHandle?>?,
  _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let output = try unsafe result(verifier, "verifier")
    guard (1...100_000_000).contains(capacity) else {
      throw CallError.argumentOutOfRange("capacity", rule: "is \(capacity); 1 to 100,000,000 are allowed")
    }
    unsafe output.pointee = Handle.make(ProofVerifierObject(capacity: Int(capacity)))
  }
}

/// Verifies the proof of a request with an access token that was verified, by a policy whose `binding` accepts `jkt`.
///
/// - Parameters:
///   - verifier: the verifier.
///   - proof: the header field `DPoP`. Refuse requests with several.
///   - proofLength: its bytes.
///   - method: the method of the request.
///   - url: the URL of the request as the client knows it, for instance https://api.example/orders. Take scheme and host from
///     your configuration, not from the request. Query and fragment are ignored.
///   - token: the access token of the request.
///   - tokenLength: its bytes.
///   - thumbprint: `jkt` in `cnf` of the token's claims; NULL if it has none: the proof is refused.
///   - nonce: the nonce that the proof must have; NULL if none was issued.
///   - now: the current time in seconds since 1970; TS_NOW for the clock's.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0 for a valid proof, or 1 for an error: the first rule that the proof breaks.
@c(ts_proof_verifier_verify)
public func proofVerifierVerify(
  _ verifier: ProofVerifierHandle?, _ proof: UnsafePointer<CChar>?, _ proofLength: UInt,
  _ method: UnsafePointer<CChar>?, _ url: UnsafePointer<CChar>?, _ token: UnsafePointer<CChar>?,
  _ tokenLength: UInt, _ thumbprint: UnsafePointer<CChar>?, _ nonce: UnsafePointer<CChar>?, _ now: Int64,
  _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let object = try unsafe Handle.object(verifier, "verifier", as: ProofVerifierObject.self)
    let compact = try unsafe Arguments.text(proof, proofLength, "proof")
    let address = try HTTPURL(unsafe Arguments.text(url, "url"))
    let expected: Expectation<String> =
      if let nonce = try unsafe Arguments.optionalText(nonce, "nonce") {
        .exactly(nonce)
      } else {
        .unchecked(because: "no nonce was issued")
      }
    _ = try object.rules.verify(
      compact, method: unsafe Arguments.text(method, "method"), address: address,
      accessToken: (
        unsafe Arguments.text(token, tokenLength, "token"),
        unsafe Arguments.optionalText(thumbprint, "thumbprint")
      ), nonce: expected, at: Instants.date(now))
  }
}

/// Frees a verifier of proofs. Nothing happens for NULL and for a handle of another kind.
///
/// - Parameter verifier: the verifier, which the caller owns.
@c(ts_proof_verifier_free)
public func proofVerifierFree(_ verifier: ProofVerifierHandle?) {
  unsafe Handle.free(verifier, as: ProofVerifierObject.self)
}

/// Checks that a token is bound to the certificate of the TLS client that has sent it (RFC 8705).
///
/// - Parameters:
///   - certificate: the certificate in DER, which the TLS server has verified.
///   - certificateLength: its bytes.
///   - thumbprint: `x5t#S256` in `cnf` of the claims of a verified token; NULL if it has none: it is refused.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error: `client_certificate_mismatch`.
@c(ts_certificate_check)
public func certificateCheck(
  _ certificate: UnsafePointer<UInt8>?, _ certificateLength: UInt, _ thumbprint: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    try CertificateBinding.check(
      unsafe Arguments.optionalText(thumbprint, "thumbprint"),
      certificate: unsafe Arguments.bytes(certificate, certificateLength, "certificate"))
  }
}
