internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Signs requests to one service.
///
///     let signer = try Signer(service: "cognito-identity", region: "us-east-1")
///     let signed = try signer.sign(head, body: .bytes(body), with: credentials)
///     // send signed.head and the body
///
/// Tasks can share a signer. Derived keys are stored in ``cache``.
public struct Signer: Sendable {
  /// The service in the scope.
  public let service: String
  /// The regions: one for SigV4, one or more for SigV4A; `*` is any region.
  public let regions: [String]
  /// The algorithm of the signatures.
  public let algorithm: SigningAlgorithm
  /// The form of the canonical path.
  public var form: CanonicalForm
  /// Whether `X-Amz-Content-Sha256` is sent for a body that is passed as a whole or by its hash. Default:
  /// true for S3, which requires it.
  public var declaresPayloadHash: Bool
  /// Whether the signature covers a session token.
  public var sessionToken: SessionTokenPlacement
  /// Limits of a request's head.
  public var limits: RequestLimits
  /// The derived signing keys.
  public let cache: SigningKeyCache

  /// Creates a signer for Signature Version 4.
  ///
  /// - Parameters:
  ///   - service: the service in the scope.
  ///   - region: the region in the scope.
  ///   - form: the form of the canonical path. Default: the form of the service.
  ///   - sessionToken: whether the signature covers a session token.
  ///   - cache: the derived signing keys.
  /// - Throws: `scopePart`.
  public init(
    service: String, region: String, form: CanonicalForm? = nil,
    sessionToken: SessionTokenPlacement = .signed,
    cache: SigningKeyCache = SigningKeyCache()
  ) throws(SigV4Error) {
    try CredentialScope.check(region, "region")
    try self.init(service, [region], .hmacSHA256, form, sessionToken, cache)
  }

  /// Creates a signer for Signature Version 4A, whose signatures are valid in several regions.
  ///
  /// - Parameters:
  ///   - service: the service in the scope.
  ///   - regionSet: the regions: names, or prefixes of names with a `*`.
  ///   - form: the form of the canonical path. Default: the form of the service.
  ///   - sessionToken: whether the signature covers a session token.
  ///   - cache: the derived signing keys.
  /// - Throws: `scopePart`, `regionSetEmpty`.
  public init(
    service: String, regionSet: [String], form: CanonicalForm? = nil,
    sessionToken: SessionTokenPlacement = .signed,
    cache: SigningKeyCache = SigningKeyCache()
  ) throws(SigV4Error) {
    guard !regionSet.isEmpty else { throw .regionSetEmpty }
    for region in regionSet where region != "*" {
      try CredentialScope.check(region.hasSuffix("*") ? String(region.dropLast()) : region, "region")
    }
    try self.init(service, regionSet, .ecdsaP256SHA256, form, sessionToken, cache)
  }

  private init(
    _ service: String, _ regions: [String], _ algorithm: SigningAlgorithm, _ form: CanonicalForm?,
    _ sessionToken: SessionTokenPlacement, _ cache: SigningKeyCache
  ) throws(SigV4Error) {
    try CredentialScope.check(service, "service")
    self.service = service
    self.regions = regions
    self.algorithm = algorithm
    self.form = form ?? .of(service: service)
    declaresPayloadHash = self.form == .s3
    self.sessionToken = sessionToken
    limits = RequestLimits()
    self.cache = cache
  }

  /// Signs a request in its headers.
  ///
  /// Adds `X-Amz-Date`, `X-Amz-Security-Token`, `X-Amz-Content-Sha256`, `X-Amz-Region-Set` and
  /// `Authorization` as needed, and for chunks `Content-Encoding`, `X-Amz-Decoded-Content-Length`,
  /// `X-Amz-Trailer` and `Content-Length`. Replaces the headers of an earlier signature; `X-Amz-Content-Sha256`, of any value, by
  /// the hash of the body.
  ///
  /// - Parameters:
  ///   - head: the request.
  ///   - body: how the signature covers the body.
  ///   - credentials: the credentials to sign with.
  ///   - date: the date of the signature.
  /// - Returns: the signed request.
  /// - Throws: the first rule that the request or the credentials break.
  public func sign(
    _ head: RequestHead, body: Payload = .none, with credentials: Credentials, at date: Timestamp = .now
  ) throws(SigV4Error) -> SignedRequest {
    let date = date.signingSecond
    try credentials.check(at: date)
    return try sign(head, body, identity(credentials, date), date)
  }

  /// Signs a request in its headers with a signing key instead of the secret.
  ///
  /// - Parameters:
  ///   - head: the request.
  ///   - body: how the signature covers the body.
  ///   - key: the key to sign with.
  ///   - sessionToken: the session token of temporary credentials.
  ///   - date: the date of the signature.
  /// - Returns: the signed request.
  /// - Throws: as `sign(_:body:with:at:)`; `signingKeyScope` for a key of another day, region or service.
  public func sign(
    _ head: RequestHead, body: Payload = .none, with key: ScopedSigningKey, sessionToken: String? = nil,
    at date: Timestamp = .now
  ) throws(SigV4Error) -> SignedRequest {
    let date = date.signingSecond
    return try sign(head, body, identity(key, sessionToken, date), date)
  }

  /// Presigns a request. Anyone who has the URL can send it until it expires.
  ///
  /// - Parameters:
  ///   - head: the request.
  ///   - lifetime: how long the URL is valid, 1 to 604,800 whole seconds (seven days).
  ///   - body: how the signature covers the body; `.none` is what a header field `X-Amz-Content-Sha256` says, otherwise
  ///     `.unsigned` for S3, and no body for other services.
  ///   - credentials: the credentials to sign with.
  ///   - date: when the URL begins to be valid.
  /// - Returns: the signed request; ``SignedRequest/url`` is its URL.
  /// - Throws: `lifetime` for a lifetime out of range; `payloadNotPresignable` for streams; `payloadHashMismatch` for an
  ///   `X-Amz-Content-Sha256` that differs from `body`; `headerUnexpected` and `signatureTwice` for header fields of another
  ///   signature; `headerRepeated`; the first rule that the request or the credentials break.
  public func presign(
    _ head: RequestHead, expiresIn lifetime: Duration, body: Payload = .none, with credentials: Credentials,
    at date: Timestamp = .now
  ) throws(SigV4Error) -> SignedRequest {
    let date = date.signingSecond
    try credentials.check(at: date)
    return try presign(head, lifetime, body, identity(credentials, date), date)
  }

  /// Presigns a request with a signing key instead of the secret.
  ///
  /// - Parameters:
  ///   - head: the request.
  ///   - lifetime: how long the URL is valid, 1 to 604,800 whole seconds (seven days).
  ///   - body: how the signature covers the body; `.none` is what a header field `X-Amz-Content-Sha256` says, otherwise
  ///     `.unsigned` for S3, and no body for other services.
  ///   - key: the key to sign with.
  ///   - sessionToken: the session token of temporary credentials.
  ///   - date: when the URL begins to be valid.
  /// - Returns: the signed request; ``SignedRequest/url`` is its URL.
  /// - Throws: as `presign(_:expiresIn:body:with:at:)`; `signingKeyScope` for a key of another day, region
  ///   or service.
  public func presign(
    _ head: RequestHead, expiresIn lifetime: Duration, body: Payload = .none, with key: ScopedSigningKey,
    sessionToken: String? = nil, at date: Timestamp = .now
  ) throws(SigV4Error) -> SignedRequest {
    let date = date.signingSecond
    return try presign(head, lifetime, body, identity(key, sessionToken, date), date)
  }

  /// The access key and the key of a signature.
  struct Identity {
    let accessKeyID: String
    let sessionToken: String?
    let key: SigningKey
  }

  private func identity(_ credentials: Credentials, _ date: Timestamp) throws(SigV4Error) -> Identity {
    let key: SigningKey =
      switch algorithm {
      case .hmacSHA256:
        .hmac(try cache.hmacKey(credentials, date: date, region: regions[0], service: service))
      case .ecdsaP256SHA256: .ecdsa(try cache.ecdsaKey(credentials))
      }
    return Identity(accessKeyID: credentials.accessKeyID, sessionToken: credentials.sessionToken, key: key)
  }

  private func identity(
    _ key: ScopedSigningKey, _ sessionToken: String?, _ date: Timestamp
  ) throws(SigV4Error) -> Identity {
    if let sessionToken { try Credentials.check(sessionToken: Array(sessionToken.utf8)) }
    let expected = scope(date)
    guard algorithm == .hmacSHA256, key.scope == expected else {
      throw .signingKeyScope(actual: key.scope, expected: expected)
    }
    return Identity(accessKeyID: key.accessKeyID, sessionToken: sessionToken, key: .hmac(key))
  }

  /// The scope of a request: the scope of the key for SigV4.
  func scope(_ identity: Identity, _ date: Timestamp) -> CredentialScope {
    if case .hmac(let key) = identity.key { return key.scope }
    return scope(date)
  }

  func scope(_ date: Timestamp) -> CredentialScope {
    CredentialScope(
      checkedDay: String(decoding: date.amzDay, as: UTF8.self),
      region: algorithm == .hmacSHA256 ? regions[0] : nil,
      service: service)
  }

  /// The value of `X-Amz-Region-Set`.
  var regionSet: String { regions.joined(separator: ",") }
}
