internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import TokenLifetime

/// Signs requests to one service.
///
///     let signer = try Signer(service: "cognito-identity", region: "us-east-1")
///     let signed = try signer.sign(head, body: .bytes(body), with: credentials)
///     // send signed.head and the body
///
/// A signer is a value that any number of tasks can share. It waits for nothing; keys that it has derived are kept
/// in ``cache``.
public struct Signer: Sendable {
  /// The service, as it stands in the scope.
  public let service: String
  /// The regions: one for SigV4, one or more for SigV4A, where `*` stands for any.
  public let regions: [String]
  /// Which signature is made.
  public let algorithm: SigningAlgorithm
  /// The form of the canonical path.
  public var form: CanonicalForm
  /// True where `X-Amz-Content-Sha256` is sent although the service could hash the body itself. S3 wants it always.
  public var declaresPayloadHash: Bool
  /// Where a session token is put.
  public var sessionToken: SessionTokenPlacement
  /// How large a request may be.
  public var limits: RequestLimits
  /// The keys that were derived.
  public let cache: SigningKeyCache

  /// A signer for Signature Version 4.
  ///
  /// - Throws: `scopePart`.
  public init(
    service: String, region: String, form: CanonicalForm? = nil,
    sessionToken: SessionTokenPlacement = .signed,
    cache: SigningKeyCache = SigningKeyCache()
  ) throws(SigV4Error) {
    try CredentialScope.check(region, "region")
    try self.init(service, [region], .hmacSHA256, form, sessionToken, cache)
  }

  /// A signer for Signature Version 4A, whose signatures hold in all of `regionSet`: names, or beginnings of names
  /// with a `*`.
  ///
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

  /// Signs a request in its headers. What is missing is added: `X-Amz-Date`, `X-Amz-Security-Token`,
  /// `X-Amz-Content-Sha256`, `X-Amz-Region-Set`, for chunks `Content-Encoding`, `X-Amz-Decoded-Content-Length`,
  /// `X-Amz-Trailer` and `Content-Length`; and `Authorization`. What is there of an earlier signature is replaced.
  ///
  /// - Throws: what is wrong with the request or the credentials.
  public func sign(
    _ head: RequestHead, body: Payload = .none, with credentials: Credentials, at date: Timestamp = .now
  ) throws(SigV4Error) -> SignedRequest {
    let date = date.signingSecond
    try credentials.check(at: date)
    return try sign(
      head, body, Authority(credentials.accessKeyID, credentials.sessionToken, key(credentials, date)), date)
  }

  /// The same with a key of the day, without the secret.
  ///
  /// - Throws: also `signingKeyScope` where the key is for another day, region or service.
  public func sign(
    _ head: RequestHead, body: Payload = .none, with key: ScopedSigningKey, sessionToken: String? = nil,
    at date: Timestamp = .now
  ) throws(SigV4Error) -> SignedRequest {
    let date = date.signingSecond
    return try sign(head, body, authority(key, sessionToken, date), date)
  }

  /// Presigns a request: whoever has the URL can send it until it expires.
  ///
  /// - Parameters:
  ///   - head: the request.
  ///   - lifetime: how long the URL is valid, 1 to 604,800 whole seconds (seven days).
  ///   - body: what the signature says of the body; for S3, `.none` says nothing.
  ///   - credentials: the key to sign with.
  ///   - date: when the URL begins to be valid.
  /// - Throws: `lifetime` for a duration that is not allowed; `payloadNotPresignable` for streams.
  public func presign(
    _ head: RequestHead, expiresIn lifetime: Duration, body: Payload = .none, with credentials: Credentials,
    at date: Timestamp = .now
  ) throws(SigV4Error) -> SignedRequest {
    let date = date.signingSecond
    try credentials.check(at: date)
    return try presign(
      head, lifetime, body,
      Authority(credentials.accessKeyID, credentials.sessionToken, key(credentials, date)), date)
  }

  /// The same with a key of the day, without the secret.
  public func presign(
    _ head: RequestHead, expiresIn lifetime: Duration, body: Payload = .none, with key: ScopedSigningKey,
    sessionToken: String? = nil, at date: Timestamp = .now
  ) throws(SigV4Error) -> SignedRequest {
    let date = date.signingSecond
    return try presign(head, lifetime, body, authority(key, sessionToken, date), date)
  }

  /// Who signs, and with what.
  struct Authority {
    let accessKeyID: String
    let sessionToken: String?
    let key: SigningKey

    init(_ accessKeyID: String, _ sessionToken: String?, _ key: SigningKey) {
      self.accessKeyID = accessKeyID
      self.sessionToken = sessionToken
      self.key = key
    }
  }

  private func key(_ credentials: Credentials, _ date: Timestamp) throws(SigV4Error) -> SigningKey {
    switch algorithm {
    case .hmacSHA256:
      .hmac(try cache.hmacKey(credentials, date: date, region: regions[0], service: service))
    case .ecdsaP256SHA256: .ecdsa(try cache.ecdsaKey(credentials))
    }
  }

  private func authority(
    _ key: ScopedSigningKey, _ sessionToken: String?, _ date: Timestamp
  ) throws(SigV4Error) -> Authority {
    if let sessionToken { try Credentials.check(sessionToken: Array(sessionToken.utf8)) }
    let wanted = scope(date)
    guard algorithm == .hmacSHA256, key.scope == wanted else {
      throw .signingKeyScope(actual: key.scope, expected: wanted)
    }
    return Authority(key.accessKeyID, sessionToken, .hmac(key))
  }

  /// The scope of a request; that of the key, where it has one.
  func scope(_ authority: Authority, _ date: Timestamp) -> CredentialScope {
    if case .hmac(let key) = authority.key { return key.scope }
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
