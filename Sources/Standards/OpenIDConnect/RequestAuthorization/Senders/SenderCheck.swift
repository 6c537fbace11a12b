internal import JOSE
internal import TokenSecurityBase

/// Checks that the sender of a request has the key that its token is bound to (`cnf`, RFC 7800).
struct SenderCheck {
  let route: AuthorizationRoute
  let nonces: ProofNonces?
  let replays: TokenReplayCache

  /// Why a request is refused.
  struct Refusal: Error {
    /// The code of RFC 9449 section 12.2 or RFC 6750 section 3.1.
    let error: String
    let code: String
    /// True if the client needs a nonce.
    var needsNonce = false
    /// True if the proxy has not passed on what its configuration must: the request cannot be decided.
    var isOfProxy = false
  }

  /// Checks a request whose token is valid.
  ///
  /// - Returns: true if the client should use another nonce for its next proof.
  func check(
    _ token: VerifiedToken, _ scheme: AuthorizationField.Scheme, _ fields: RequestFields, at now: NumericDate
  ) throws(Refusal) -> Bool {
    let confirmation = try confirmation(of: token)
    let isBoundToKey = confirmation?["jkt"] != nil
    var renewsNonce = false
    if let proof = route.proof {
      if scheme == .dpop {
        renewsNonce = try checkProof(proof, token, fields, at: now)
      } else if isBoundToKey || proof.isRequired {
        // RFC 9449 section 7.2: a bound token is not a bearer token.
        throw Refusal(error: "invalid_token", code: "proof_missing")
      }
    }
    if let certificate = route.clientCertificate {
      if let expected = confirmation?["x5t#S256"] {
        try check(certificate, expected.string ?? "", fields)
      } else if certificate.isRequired {
        throw Refusal(error: "invalid_token", code: "certificate_binding_missing")
      }
    }
    return renewsNonce
  }

  /// The key that the token is bound to, if the route checks senders: a claim that names none that is known says that the
  /// token is not a bearer token. Policies that leave `cnf` unchecked do not look at it.
  private func confirmation(of token: VerifiedToken) throws(Refusal) -> JSONObject? {
    guard route.proof != nil || route.clientCertificate != nil, let claim = token.claims["cnf"] else {
      return nil
    }
    guard let confirmation = claim.object else {
      throw Refusal(error: "invalid_token", code: "claim_type")
    }
    guard confirmation["jkt"] != nil || confirmation["x5t#S256"] != nil else {
      throw Refusal(error: "invalid_token", code: "token_bound")
    }
    return confirmation
  }

  private func check(
    _ certificate: ClientCertificateField, _ expected: String, _ fields: RequestFields
  ) throws(Refusal) {
    let actual: String
    do throws(ClientCertificateField.Problem) { actual = try certificate.thumbprint(in: fields) } catch {
      throw Refusal(
        error: "invalid_token",
        code: error == .missing ? "client_certificate_missing" : "client_certificate_malformed")
    }
    do throws(OpenIDError) { try CertificateBinding.check(expected, thumbprint: actual) } catch {
      throw Refusal(error: "invalid_token", code: error.codeText)
    }
  }

  private func checkProof(
    _ rules: ProofRules, _ token: VerifiedToken, _ fields: RequestFields, at now: NumericDate
  ) throws(Refusal) -> Bool {
    let proofs = fields.all("dpop")
    guard let compact = proofs.first, !compact.isEmpty else {
      throw Refusal(error: "invalid_dpop_proof", code: "proof_missing")
    }
    guard proofs.count == 1 else { throw Refusal(error: "invalid_dpop_proof", code: "proof_repeated") }
    guard let method = fields.single(rules.methodField), let target = fields.single(rules.targetField) else {
      throw Refusal(error: "", code: "proxy_fields_missing", isOfProxy: true)
    }
    guard let address = rules.address(of: target) else {
      throw Refusal(error: "invalid_dpop_proof", code: "request_target_invalid")
    }
    let (nonce, renews) = try checkNonce(of: compact, at: now)
    let replays = replays
    let proofRules = DPoPRules { name, end, now in replays.insert(name, until: end, at: now) }
    do throws(OpenIDError) {
      _ = try proofRules.verify(
        compact, method: method, address: address, accessToken: token, nonce: nonce, at: now)
    } catch {
      throw Refusal(error: "invalid_dpop_proof", code: error.codeText)
    }
    return renews
  }

  /// The nonce that the proof must have. It is checked before the proof's signature, which costs more.
  private func checkNonce(
    of compact: String, at now: NumericDate
  ) throws(Refusal) -> (Expectation<String>, renews: Bool) {
    guard let nonces else { return (.unchecked(because: "the sidecar has no key of nonces"), false) }
    let proof: UnverifiedToken
    do throws(JOSEError) { proof = try UnverifiedToken(compact) } catch {
      throw Refusal(error: "invalid_dpop_proof", code: error.codeText)
    }
    guard let nonce = proof.claims["nonce"]?.string else {
      throw Refusal(error: "use_dpop_nonce", code: "nonce_missing", needsNonce: true)
    }
    switch nonces.check(nonce, at: now) {
    case .fresh: return (.exactly(nonce), false)
    case .ageing: return (.exactly(nonce), true)
    case .refused: throw Refusal(error: "use_dpop_nonce", code: "nonce_mismatch", needsNonce: true)
    }
  }
}
