internal import TokenSecurityEncodings
internal import TokenLifetime

/// What is wrong, or risky, about a presigned URL. No key is needed: whether its signature holds is not asked.
public struct PresignedLint: Sendable {
  /// One finding.
  public struct Finding: Sendable, Hashable {
    /// A stable code.
    public let code: String
    /// True where no service takes the URL like that; false for a risk.
    public let isError: Bool
    /// One sentence for people.
    public let sentence: String
  }

  /// The URL as a request.
  public let request: UnverifiedRequest
  /// The last instant at which the URL holds, if its credentials do.
  public let end: Timestamp?
  /// What was found, errors first.
  public let findings: [Finding]

  /// Takes a URL apart.
  ///
  /// - `method`: the method that it is for.
  /// - `credentialsEnd`: when the credentials that signed it end, where that is known.
  /// - Throws: what keeps it from being read at all.
  public init(
    url: String, method: String = "GET", credentialsEnd: Timestamp? = nil, at now: Timestamp = .now
  ) throws(SigV4Error) {
    let isPlain = url.lowercasedASCII.hasPrefix("http://")
    guard isPlain || url.lowercasedASCII.hasPrefix("https://") else {
      throw .messageMalformed("a URL begins with https:// or http://")
    }
    let message = try HTTPMessage(parsing: Array("\(method) \(url) HTTP/1.1\r\n\r\n".utf8))
    try self.init(message.head, isPlain: isPlain, credentialsEnd: credentialsEnd, at: now)
  }

  /// Takes a request apart whose signature is in its query.
  public init(
    _ head: RequestHead, isPlain: Bool = false, credentialsEnd: Timestamp? = nil, at now: Timestamp = .now
  ) throws(SigV4Error) {
    let now = now.signingSecond
    request = try UnverifiedRequest(head)
    let parameters = request.parameters
    var found: [Finding] = []
    func add(_ code: String, _ sentence: String, isError: Bool = false) {
      found.append(Finding(code: code, isError: isError, sentence: sentence))
    }
    guard let expires = parameters.expiresSeconds else { throw .placementNotAccepted(.header) }
    let finish = parameters.date.advanced(bySeconds: max(0, expires))
    end = finish
    do { _ = try LifetimeRule.presignedURL.validate(requested: .seconds(expires)) } catch {
      add("expires_out_of_range", "X-Amz-Expires: \(error)", isError: true)
    }
    if parameters.date.amzDay != Array(parameters.scope.day.utf8) {
      add(
        "scope_date_mismatch",
        "the scope is of \(parameters.scope.day), and the URL of \(parameters.date.amzDate)",
        isError: true)
    }
    if finish < now { add("presigned_expired", "it expired at \(finish.amzDate)", isError: true) }
    if parameters.date > now.advanced(bySeconds: 900) {
      add(
        "request_from_future", "it begins at \(parameters.date.amzDate), which is more than 15 minutes ahead",
        isError: true)
    }
    if let credentialsEnd, credentialsEnd < finish {
      add(
        "outlives_credentials",
        "its credentials end at \(credentialsEnd.amzDate), and with them the URL, before its own end")
    } else if parameters.sessionToken != nil, credentialsEnd == nil {
      add(
        "temporary_credentials",
        "its credentials are temporary: it ends with them, whatever X-Amz-Expires says")
    }
    if parameters.sessionToken == nil, parameters.accessKeyID.hasPrefix("ASIA") {
      add("session_token_missing", "ASIA keys are temporary and need X-Amz-Security-Token", isError: true)
    }
    if expires > 43_200 { add("long_lived", "it holds for \(expires) s: whoever sees it can use it as long") }
    if isPlain { add("not_https", "it is for http: whoever listens can use it") }
    let signed = Set(parameters.signedHeaders.map { ExactString($0) })
    for field in head.headers {
      let name = field.name.lowercasedASCII
      guard !signed.contains(ExactString(name)), name.hasPrefix("x-amz-") || name == "content-type"
      else { continue }
      add(
        "header_unsigned",
        "the header \(name.quoted) is not signed: a service refuses it, or anyone can change it",
        isError: true)
    }
    if parameters.signedHeaders == ["host"], head.method == "PUT" || head.method == "POST" {
      add(
        "upload_unbound",
        "only Host is signed: type, length and storage of an upload are the sender's to choose")
    }
    if parameters.regionSet.contains("*") { add("any_region", "it holds in every region") }
    if parameters.scope.service != "s3", request.declaredPayload == .mode(.unsigned) {
      add("unsigned_payload", "nothing is said of the body")
    }
    findings = found.filter(\.isError) + found.filter { !$0.isError }
  }
}
