internal import TokenSecurityEncodings

/// Verifies signatures over payloads of any kind (RFC 7515 section 5.2): compact, with a detached or
/// unencoded payload, or in a JSON serialisation.
///
/// Each form has a call of its own; none guesses. For tokens with claims see ``TokenVerifier``.
public struct JWSVerifier: Sendable {
  /// What is demanded of header and signature.
  public let rules: SignatureRules

  private let keys: PreparedKeys

  /// Prepares `keys`.
  public init(keys: JWKSet, rules: SignatureRules = SignatureRules()) throws(JOSEError) {
    self.rules = rules
    self.keys = try PreparedKeys(keys, rules: rules)
  }

  /// Verifies a compact JWS that carries its payload (RFC 7515 section 7.1).
  public func verify(compact: String) throws(JOSEError) -> VerifiedPayload {
    let text = compact.utf8.span
    let parts = try CompactParts(text, limits: rules.limits)
    let header = try JOSEHeader(parts.header, limits: rules.limits)
    let algorithm = try judge(header, protected: header)
    guard try header.judgeCritical(rules) else {
      throw .unencodedPayload
    }
    let verified = try verified(
      header, algorithm, input: text.extracting(first: parts.signingInputSize),
      signature: parts.signature.span)
    return VerifiedPayload(payload: parts.payload, signatures: [verified])
  }

  /// Verifies a compact JWS over a payload that both sides know (RFC 7515 appendix F). With `b64` false
  /// in the header, the payload is signed as it is (RFC 7797 section 5.2).
  ///
  /// - Parameters:
  ///   - compact: the JWS, its middle part empty.
  ///   - payload: the payload's bytes, never base64url.
  public func verify(
    compact: String, detachedPayload payload: [UInt8]
  ) throws(JOSEError) -> VerifiedPayload {
    let text = compact.utf8.span
    let parts = try CompactParts(text, limits: rules.limits)
    guard parts.payload.isEmpty else { throw .payloadPlacement(expected: .detached) }
    let header = try JOSEHeader(parts.header, limits: rules.limits)
    let algorithm = try judge(header, protected: header)
    let isEncoded = try header.judgeCritical(rules)
    let protected = text.extracting(first: parts.signingInputSize - 1)
    let input = Self.input(protected, isEncoded ? Base64URL.encode(payload.span) : payload)
    let verified = try verified(
      header, algorithm, input: input.span, signature: parts.signature.span)
    return VerifiedPayload(payload: payload, signatures: [verified])
  }

  /// Verifies a compact JWS that carries its payload as it is (RFC 7797 section 5.2): printable ASCII
  /// without a dot, `b64` false in the header.
  public func verify(unencodedCompact compact: String) throws(JOSEError) -> VerifiedPayload {
    let text = compact.utf8.span
    let dots = try CompactParts.dots(text, limits: rules.limits)
    try CompactParts.refuseThirdDot(text)
    let header = try JOSEHeader(
      CompactParts.decode(text, .header, 0, dots.first), limits: rules.limits)
    let signature = try CompactParts.decode(text, .signature, dots.second + 1, text.count)
    let payload = [UInt8](unwipedCopy: text.extracting(dots.first + 1..<dots.second))
    for (offset, byte) in payload.enumerated() where !JWSSigner.isCompactUnencoded(byte) {
      throw .alphabet(.payload, offset: offset)
    }
    let algorithm = try judge(header, protected: header)
    guard try !header.judgeCritical(rules) else {
      throw .payloadEncoded
    }
    let verified = try verified(
      header, algorithm, input: text.extracting(first: dots.second), signature: signature.span)
    return VerifiedPayload(payload: payload, signatures: [verified])
  }

  /// How many signatures of a JSON serialisation must hold.
  public enum Demand: Sendable, Hashable {
    /// Every one; a signature by an unknown key refuses the whole.
    case all
    /// At least so many, by different keys. Signatures that do not hold are passed over, as those of other recipients are.
    case atLeast(Int)
  }

  /// Verifies a JWS in the general or flattened JSON serialisation (RFC 7515 section 7.2).
  ///
  /// - Parameters:
  ///   - json: the text.
  ///   - payload: the payload's bytes where the JWS leaves it out; nil where it must bring it along.
  ///   - demand: how many of several signatures must hold.
  ///   - unprotectedAlgorithm: whether `alg` may stand outside of what is signed, as RFC 7520 section 4.7
  ///     shows. The key still decides which algorithms there are.
  public func verify(
    json: String, detachedPayload payload: [UInt8]? = nil, demand: Demand = .all,
    unprotectedAlgorithm: UnprotectedAlgorithm = .refused
  ) throws(JOSEError) -> VerifiedPayload {
    let object = try JWSObject(json, limits: rules.limits)
    guard (object.payload == nil) == (payload != nil) else {
      throw .payloadPlacement(expected: payload == nil ? .attached : .detached)
    }
    let isEncoded = try object.isEncoded
    let body = body(object.payload, payload, isEncoded)
    var verified: [VerifiedPayload.Signature] = []
    var holders: Set<ExactString> = []
    var refusal: JOSEError? = nil
    for entry in object.signatures {
      do throws(JOSEError) {
        _ = try entry.protected?.judgeCritical(rules)
        let (signature, key) = try verify(entry, body: body, unprotectedAlgorithm)
        verified.append(signature)
        if case .atLeast = demand { holders.insert(ExactString(try key.thumbprint())) }
      } catch {
        guard case .atLeast = demand else { throw error }
        refusal = refusal ?? error
      }
    }
    if case .atLeast(let count) = demand {
      guard holders.count >= max(count, 1) else {
        if object.signatures.count == 1, let refusal { throw refusal }
        throw .signaturesMissing(valid: holders.count, expected: max(count, 1))
      }
    }
    return VerifiedPayload(
      payload: try self.payload(object.payload, payload, isEncoded), signatures: verified)
  }

  /// Whether `alg` may stand in the unprotected header of a JSON serialisation.
  public enum UnprotectedAlgorithm: Sendable, Hashable {
    case refused
    case allowed(because: String)
  }

  private func verify(
    _ entry: JWSObject.Signature, body: [UInt8], _ unprotectedAlgorithm: UnprotectedAlgorithm
  ) throws(JOSEError) -> (signature: VerifiedPayload.Signature, key: JWK) {
    if let unprotected = entry.unprotected {
      guard unprotected.places.critical < 0 else { throw .criticalUnprotected }
      guard unprotected.places.unencoded < 0 else { throw .unencodedNotCritical }
      if unprotectedAlgorithm == .refused, unprotected.places.algorithm >= 0 {
        throw .algorithmUnprotected
      }
    }
    let header = try JOSEHeader(entry.joined, limits: rules.limits)
    let algorithm = try judge(header, protected: entry.protected)
    let input = Self.input(entry.encodedProtected.utf8.span, body)
    let key = try key(header, algorithm, input: input.span, signature: entry.signature.span)
    return (
      VerifiedPayload.Signature(
        protectedHeader: entry.protected, unprotectedHeader: entry.unprotected, algorithm: algorithm,
        keyID: key.keyID), key
    )
  }

  /// Checks a header before a key is looked for.
  ///
  /// - Parameters:
  ///   - header: all parameters together.
  ///   - protected: those that the signature covers. `typ` counts only there.
  private func judge(_ header: JOSEHeader, protected: JOSEHeader?) throws(JOSEError) -> Algorithm {
    let algorithm = try header.judgeAlgorithm(rules)
    try header.judgeParameters(rules)
    if case .oneOf(let wanted) = rules.type {
      guard let protected else { throw .typeMismatch(expected: wanted, actual: nil) }
      try protected.judgeType(rules)
    } else {
      try header.judgeType(rules)
    }
    return algorithm
  }

  /// The key that `signature` over `input` was made with.
  private func key(
    _ header: JOSEHeader, _ algorithm: Algorithm, input: borrowing Span<UInt8>,
    signature: borrowing Span<UInt8>
  ) throws(JOSEError) -> JWK {
    let candidates = try keys.candidates(header, algorithm, limit: rules.candidateLimit)
    return keys.key(try keys.verify(candidates, input: input, signature: signature))
  }

  /// The same for a compact JWS, whose whole header is protected.
  private func verified(
    _ header: JOSEHeader, _ algorithm: Algorithm, input: borrowing Span<UInt8>,
    signature: borrowing Span<UInt8>
  ) throws(JOSEError) -> VerifiedPayload.Signature {
    let key = try key(header, algorithm, input: input, signature: signature)
    return VerifiedPayload.Signature(
      protectedHeader: header, unprotectedHeader: nil, algorithm: algorithm, keyID: key.keyID)
  }

  /// What follows the dot in the text that is signed.
  private func body(
    _ attached: String?, _ detached: [UInt8]?, _ isEncoded: Bool
  ) -> [UInt8] {
    if let detached { return isEncoded ? Base64URL.encode(detached.span) : detached }
    return Array((attached ?? "").utf8)
  }

  private func payload(
    _ attached: String?, _ detached: [UInt8]?, _ isEncoded: Bool
  ) throws(JOSEError) -> [UInt8] {
    if let detached { return detached }
    let text = attached ?? ""
    guard isEncoded else { return Array(text.utf8) }
    return try CompactParts.decode(text.utf8.span, .payload, 0, text.utf8.count)
  }

  private static func input(_ protected: borrowing Span<UInt8>, _ body: [UInt8]) -> [UInt8] {
    var input = [UInt8](unwipedCopy: protected)
    input.append(UInt8(ascii: "."))
    input += body
    return input
  }
}
