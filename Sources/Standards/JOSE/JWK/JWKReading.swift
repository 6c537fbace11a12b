internal import TokenSecurityBase
public import TokenSecurityCrypto

extension JWK {
  /// Reads a JWK from its JSON text (RFC 7517 section 4, RFC 7518 section 6, RFC 8037 section 2).
  ///
  /// Unknown members are ignored. Coordinates must have the curve's full length.
  ///
  /// - Parameters:
  ///   - json: the text.
  ///   - form: the members to read, and how strictly.
  /// - Throws: the first rule that the key breaks.
  public init(json: borrowing SecretBytes, form: KeyForm = .standard) throws(JOSEError) {
    self = try JSONDocument.reading(json) { document throws(JOSEError) in
      try JWK(document, at: 0, form: form)
    }
  }

  /// Reads a JWK from text. Prefer `SecretBytes` for private keys.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - form: the members to read, and how strictly.
  /// - Throws: the first rule that the key breaks.
  public init(json text: String, form: KeyForm = .standard) throws(JOSEError) {
    try self.init(json: SecretBytes(text.utf8.span), form: form)
  }

  /// A shared secret of HS256, HS384 or HS512, at least as long as the digest. Key files are refused.
  ///
  ///     let secret = SecretBytes("a text of 32 bytes or more, or random bytes")
  ///     let key = try JWK(secret: secret, algorithm: .hs256)
  ///
  /// - Parameters:
  ///   - secret: the bytes of the secret, not their base64url.
  ///   - algorithm: the algorithm.
  ///   - keyID: the `kid`. Default: none, for tokens with any `kid`.
  /// - Throws: `hmacKeyIsKeyFile`; `keyTypeMismatch` for another algorithm, or a secret that is too short.
  public init(
    secret: borrowing SecretBytes, algorithm: Algorithm, keyID: String? = nil
  ) throws(JOSEError) {
    self.init(
      material: try HMACSecret.material(secret.clone()), keyID: keyID, use: "sig",
      algorithmName: algorithm.name)
    guard fits(algorithm) else { throw .keyTypeMismatch(kid: keyID, algorithm: algorithm) }
  }

  init(_ document: JSONDocument, at place: Int, form: KeyForm) throws(JOSEError) {
    guard document.kind(at: place) == .object else {
      throw .keySetInvalid(rule: "a key is not an object")
    }
    var members = JWKMembers(document, place, form)
    let material = try members.material()
    let keyID = try members.keyID()
    let use = try members.string("use")
    // RFC 7517 section 4.3: unknown operations are allowed. Public keys may have the operations of the whole
    // key.
    let operations = try members.strings("key_ops")
    let algorithmName = try members.string("alg")
    var thumbprint = try members.certificateThumbprint()
    let certificates = try members.certificates(of: material.publicKey)
    try Self.checkOperations(operations, use)
    if let digest = thumbprint, let first = certificates.first, try Self.digest(first) != digest {
      try members.warn(.certificateThumbprint, orThrow: .certificateThumbprintMismatch)
      thumbprint = nil
    }
    self.init(
      material: material, keyID: keyID, use: use, operations: operations, algorithmName: algorithmName,
      certificates: certificates, certificateThumbprint: thumbprint)
    readingWarnings = members.warnings
  }

  private static func checkOperations(_ operations: [String]?, _ use: String?) throws(JOSEError) {
    guard let operations else { return }
    guard Set(operations.map { ExactString($0) }).count == operations.count else {
      throw .keyOperationsInvalid(rule: "an operation occurs twice")
    }
    let forSignatures = operations.contains("sign") || operations.contains("verify")
    if let use, (use == "sig") != forSignatures, use == "sig" || use == "enc" {
      throw .keyOperationsInvalid(rule: "they contradict \"use\"")
    }
  }

  private static func digest(_ certificate: [UInt8]) throws(JOSEError) -> [UInt8] {
    try JOSEError.converting { () throws(CryptoError) in try DigestAlgorithm.sha256.hash(certificate.span) }
  }
}
