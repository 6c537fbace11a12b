internal import TokenSecurityBase

/// Verifies signatures over payloads of any kind (RFC 7515 section 5.2): compact, with a detached or
/// unencoded payload, or in a JSON serialisation.
///
/// Each form has its own method, and none guesses. For tokens with claims see ``TokenVerifier``.
public struct JWSVerifier: Sendable {
  /// The rules for header and signature.
  public var rules: SignatureRules { headers.rules }

  private let headers: HeaderVerifier
  private let keys: PreparedKeys

  /// Prepares `keys`.
  ///
  /// - Parameters:
  ///   - keys: the keys that signatures are verified with.
  ///   - rules: the rules for header and signature.
  /// - Throws: `library` if libcrypto refuses a key.
  public init(keys: JWKSet, rules: SignatureRules = SignatureRules()) throws(JOSEError) {
    headers = HeaderVerifier(rules)
    self.keys = try PreparedKeys(keys, rules: rules)
  }

  /// Verifies a compact JWS that contains its payload (RFC 7515 section 7.1).
  ///
  /// - Parameter compact: the JWS.
  /// - Returns: the payload and its signature.
  /// - Throws: the first rule that the JWS breaks, in the order form, header, key, signature.
  public func verify(compact: String) throws(JOSEError) -> VerifiedPayload {
    let text = compact.utf8.span
    let parts = try CompactParts(text, limits: rules.limits)
    return try verify(
      JOSEHeader(parts.header, limits: rules.limits), .base64url,
      input: text.extracting(first: parts.signingInputSize), signature: parts.signature, parts.payload)
  }

  /// Verifies a compact JWS over a payload that is sent separately (RFC 7515 appendix F). If `b64` is false
  /// in the header, the payload is signed as it is (RFC 7797 section 5.2).
  ///
  /// - Parameters:
  ///   - compact: the JWS, its middle part empty.
  ///   - payload: the payload's bytes, never base64url.
  /// - Returns: the payload and its signature.
  /// - Throws: `payloadPlacement` if the JWS contains a payload, or the first rule that the JWS breaks.
  public func verify(
    compact: String, detachedPayload payload: [UInt8]
  ) throws(JOSEError) -> VerifiedPayload {
    let text = compact.utf8.span
    let parts = try CompactParts(text, limits: rules.limits)
    guard parts.payload.isEmpty else { throw .payloadPlacement(expected: .detached) }
    let header = try JOSEHeader(parts.header, limits: rules.limits)
    let protected = text.extracting(first: parts.signingInputSize - 1)
    let input = Self.input(
      protected, header.isPayloadEncoded ? Base64URL.encode(payload.span) : payload)
    return try verify(header, .either, input: input.span, signature: parts.signature, payload)
  }

  /// Verifies a compact JWS that contains its payload unencoded (RFC 7797 section 5.2): printable ASCII
  /// without a dot, `b64` false in the header.
  ///
  /// - Parameter compact: the JWS.
  /// - Returns: the payload and its signature.
  /// - Throws: `payloadEncoded` if `b64` is not false, or the first rule that the JWS breaks.
  public func verify(unencodedCompact compact: String) throws(JOSEError) -> VerifiedPayload {
    let text = compact.utf8.span
    let dots = try CompactParts.dots(text, limits: rules.limits)
    try CompactParts.refuseThirdDot(text)
    let header = try JOSEHeader(
      CompactParts.decode(text, .header, 0, dots.first), limits: rules.limits)
    let signature = try CompactParts.decode(text, .signature, dots.second + 1, text.count)
    let payload = [UInt8](unwipedCopy: text.extracting(dots.first + 1..<dots.second))
    try JWSSigner.checkUnencoded(payload)
    return try verify(
      header, .plain, input: text.extracting(first: dots.second), signature: signature, payload)
  }

  /// Verifies a compact JWS, whose whole header is protected.
  private func verify(
    _ header: JOSEHeader, _ encoding: PayloadEncoding, input: borrowing Span<UInt8>, signature: [UInt8],
    _ payload: [UInt8]
  ) throws(JOSEError) -> VerifiedPayload {
    let algorithm = try headers.verify(header, protected: header, payload: encoding)
    let key = try keys.key(
      verifying: signature.span, over: input, header, algorithm, limit: rules.candidateLimit)
    return VerifiedPayload(
      payload: payload,
      signatures: [
        VerifiedPayload.Signature(
          protectedHeader: header, unprotectedHeader: nil, algorithm: algorithm, keyID: key.keyID)
      ])
  }

  /// How many signatures of a JSON serialisation must be valid.
  public enum RequiredSignatures: Sendable, Hashable {
    /// All. One signature by an unknown key refuses the whole JWS.
    case all
    /// At least this number, by different keys. Other signatures are ignored, valid or not: they can be for
    /// other recipients.
    case atLeast(Int)
  }

  /// Verifies a JWS in the general or flattened JSON serialisation (RFC 7515 section 7.2).
  ///
  /// - Parameters:
  ///   - json: the text.
  ///   - payload: the payload's bytes if the JWS leaves it out; nil if the JWS must contain it.
  ///   - required: how many of several signatures must be valid.
  ///   - unprotectedAlgorithm: whether `alg` may be in the header that is not signed, as in RFC 7520
  ///     section 4.7. The key still decides which algorithms are possible.
  /// - Returns: the payload and its valid signatures.
  /// - Throws: `signaturesMissing` if too few signatures are valid, or the first rule that the JWS breaks.
  public func verify(
    json: String, detachedPayload payload: [UInt8]? = nil, required: RequiredSignatures = .all,
    unprotectedAlgorithm: UnprotectedAlgorithm = .refused
  ) throws(JOSEError) -> VerifiedPayload {
    let object = try JWSObject(json, limits: rules.limits)
    guard (object.payload == nil) == (payload != nil) else {
      throw .payloadPlacement(expected: payload == nil ? .attached : .detached)
    }
    let isEncoded = try object.isEncoded
    let body =
      payload.map { isEncoded ? Base64URL.encode($0.span) : $0 } ?? Array((object.payload ?? "").utf8)
    var verified: [VerifiedPayload.Signature] = []
    var signers: Set<ExactString> = []
    var firstError: JOSEError? = nil
    for entry in object.signatures {
      do throws(JOSEError) {
        let (signature, key) = try verify(entry, body: body, unprotectedAlgorithm)
        verified.append(signature)
        if case .atLeast = required { signers.insert(ExactString(try key.thumbprint())) }
      } catch {
        guard case .atLeast = required else { throw error }
        firstError = firstError ?? error
      }
    }
    if case .atLeast(let count) = required, signers.count < max(count, 1) {
      if object.signatures.count == 1, let firstError { throw firstError }
      throw .signaturesMissing(valid: signers.count, expected: max(count, 1))
    }
    if let payload { return VerifiedPayload(payload: payload, signatures: verified) }
    return VerifiedPayload(
      payload: isEncoded ? try CompactParts.decode(body.span, .payload, 0, body.count) : body,
      signatures: verified)
  }

  /// Whether `alg` may be in the unprotected header of a JSON serialisation.
  public enum UnprotectedAlgorithm: Sendable, Hashable {
    /// It may not.
    case refused
    /// It may, for the stated reason.
    case allowed(because: String)
  }

  private func verify(
    _ entry: JWSObject.Signature, body: [UInt8], _ unprotectedAlgorithm: UnprotectedAlgorithm
  ) throws(JOSEError) -> (signature: VerifiedPayload.Signature, key: JWK) {
    if let unprotected = entry.unprotected {
      guard unprotected.places.critical == nil else { throw .criticalUnprotected }
      guard unprotected.places.unencoded == nil else { throw .unencodedNotCritical }
      if unprotectedAlgorithm == .refused, unprotected.places.algorithm != nil {
        throw .algorithmUnprotected
      }
    }
    let header = try JOSEHeader(entry.joined, limits: rules.limits)
    let protected =
      if let protected = entry.protected { protected } else {
        try JOSEHeader(JSONObject(), limits: rules.limits)
      }
    let algorithm = try headers.verify(header, protected: protected, payload: .either)
    let input = Self.input(entry.encodedProtected.utf8.span, body)
    let key = try keys.key(
      verifying: entry.signature.span, over: input.span, header, algorithm, limit: rules.candidateLimit)
    let signature = VerifiedPayload.Signature(
      protectedHeader: entry.protected, unprotectedHeader: entry.unprotected, algorithm: algorithm,
      keyID: key.keyID)
    return (signature, key)
  }

  private static func input(_ protected: borrowing Span<UInt8>, _ body: [UInt8]) -> [UInt8] {
    var input = [UInt8](unwipedCopy: protected)
    input.append(UInt8(ascii: "."))
    input += body
    return input
  }
}
