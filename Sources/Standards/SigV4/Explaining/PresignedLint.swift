internal import TokenLifetime
internal import TokenSecurityBase

/// Errors and risks of a presigned URL. Needs no key, and does not verify the signature.
public struct PresignedLint: Sendable {
  /// One finding.
  public struct Finding: Sendable, Hashable {
    /// A stable code.
    public let code: String
    /// Whether services refuse the URL; false for a risk.
    public let isError: Bool
    /// One sentence for people.
    public let sentence: String
  }

  /// The URL as a request.
  public let request: UnverifiedRequest
  /// The last instant at which the URL is valid, unless its credentials expire earlier.
  public let expiration: Timestamp
  /// The findings, errors first.
  public let findings: [Finding]

  /// Checks a URL.
  ///
  /// - Parameters:
  ///   - url: the URL.
  ///   - method: the method of the request.
  ///   - credentialsExpiration: when the credentials that signed the URL expire, if that is known.
  ///   - now: the current time.
  /// - Throws: the reason why the URL cannot be parsed.
  public init(
    url: String, method: String = "GET", credentialsExpiration: Timestamp? = nil, at now: Timestamp = .now
  ) throws(SigV4Error) {
    let isPlain = url.lowercasedASCII.hasPrefix("http://")
    guard isPlain || url.lowercasedASCII.hasPrefix("https://") else {
      throw .messageMalformed("a URL begins with https:// or http://")
    }
    let message = try HTTPMessage(parsing: Array("\(method) \(url) HTTP/1.1\r\n\r\n".utf8))
    try self.init(message.head, isPlain: isPlain, credentialsExpiration: credentialsExpiration, at: now)
  }

  /// Checks a request with a signature in its query.
  ///
  /// - Parameters:
  ///   - head: the request.
  ///   - isPlain: whether the URL is for http.
  ///   - credentialsExpiration: when the credentials that signed the request expire, if that is known.
  ///   - now: the current time.
  /// - Throws: the reason why the request cannot be parsed.
  public init(
    _ head: RequestHead, isPlain: Bool = false, credentialsExpiration: Timestamp? = nil,
    at now: Timestamp = .now
  ) throws(SigV4Error) {
    let now = now.signingSecond
    request = try UnverifiedRequest(head)
    let parameters = request.parameters
    var found: [Finding] = []
    func add(_ code: String, _ sentence: String, isError: Bool = false) {
      found.append(Finding(code: code, isError: isError, sentence: sentence))
    }
    guard let expires = parameters.expiresSeconds else { throw .placementNotAccepted(.header) }
    let end = parameters.date.advanced(bySeconds: max(0, expires))
    expiration = end
    do { _ = try LifetimeRule.presignedURL.validate(requested: .seconds(expires)) } catch {
      add("expires_out_of_range", "X-Amz-Expires: \(error)", isError: true)
    }
    if parameters.date.amzDay != Array(parameters.scope.day.utf8) {
      add(
        "scope_date_mismatch",
        "the scope has the day \(parameters.scope.day), but the date is \(parameters.date.amzDate)",
        isError: true)
    }
    if end < now { add("presigned_expired", "the URL expired at \(end.amzDate)", isError: true) }
    if parameters.date > now.advanced(bySeconds: 900) {
      add(
        "request_from_future",
        "the URL begins at \(parameters.date.amzDate), more than 15 minutes after the present", isError: true)
    }
    if let credentialsExpiration, credentialsExpiration < end {
      add(
        "outlives_credentials",
        "the URL is invalid after \(credentialsExpiration.amzDate), when its credentials expire")
    } else if parameters.sessionToken != nil, credentialsExpiration == nil {
      add(
        "temporary_credentials",
        "the credentials are temporary: the URL becomes invalid when they expire"
      )
    }
    if parameters.sessionToken == nil, Credentials.isTemporary(parameters.accessKeyID) {
      add("session_token_missing", "ASIA keys are temporary and need X-Amz-Security-Token", isError: true)
    }
    if expires > 43_200 {
      add("long_lived", "the URL is valid for \(expires) s, and anyone who sees it can use it")
    }
    if isPlain { add("not_https", "the URL is for http: anyone who sees the traffic can use it") }
    let signed = Set(parameters.signedHeaders.map { ExactString($0) })
    for field in head.headers {
      let name = field.name.lowercasedASCII
      guard !signed.contains(ExactString(name)), name.hasPrefix("x-amz-") || name == "content-type"
      else { continue }
      add(
        "header_unsigned",
        "the header \(name.quoted) is not signed: services refuse it, or anyone can change it",
        isError: true)
    }
    if parameters.signedHeaders == ["host"], head.method == "PUT" || head.method == "POST" {
      add(
        "upload_unbound",
        "only Host is signed: the sender can choose type, length and storage of an upload")
    }
    if parameters.regionSet.contains("*") { add("any_region", "the URL is valid in every region") }
    if parameters.scope.service != "s3", request.declaredPayload == .mode(.unsigned) {
      add("unsigned_payload", "the signature does not cover the body")
    }
    findings = found.filter(\.isError) + found.filter { !$0.isError }
  }
}
