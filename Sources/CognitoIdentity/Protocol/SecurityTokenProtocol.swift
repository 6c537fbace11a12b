internal import TokenSecurityCrypto
public import TokenSecurityEncodings

/// The query protocol of AWS STS: forms as requests, XML as responses.
public struct SecurityTokenProtocol: Sendable {
  private let service: IdentityPoolService

  private static let namespace = "https://sts.amazonaws.com/doc/2011-06-15/"
  private static let version = "2011-06-15"

  /// Makes the protocol's front end of a service.
  ///
  /// - Parameter service: the service.
  public init(_ service: IdentityPoolService) { self.service = service }

  /// The supported actions.
  public enum Action: ExactString, Sendable, Hashable, CaseIterable {
    /// Unsigned: the token authenticates the caller.
    case assumeRoleWithWebIdentity = "AssumeRoleWithWebIdentity"
    /// Signed with temporary credentials or a developer's access key.
    case getCallerIdentity = "GetCallerIdentity"
  }

  /// A parsed request.
  public struct Request: Sendable {
    /// The action.
    public let action: Action
    let form: QueryForm

    /// Parses a request.
    ///
    /// - Parameter body: the form.
    /// - Throws: `requestMalformed`, `operationUnknown`, `parameterRefused`.
    public init(_ body: [UInt8]) throws(IdentityError) {
      form = try QueryForm(body)
      guard let name = form["Action"], let action = Action(name: name) else {
        throw .operationUnknown(form["Action"] ?? "")
      }
      guard form["Version"] == SecurityTokenProtocol.version else {
        throw .parameterRefused("Version", rule: "it must be \(SecurityTokenProtocol.version)")
      }
      self.action = action
    }
  }

  /// Assumes a role (`AssumeRoleWithWebIdentity`).
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - requestID: the id to report.
  ///   - now: the time of the call.
  /// - Returns: the response's XML, which contains the secret access key.
  /// - Throws: `parameterRefused` for unsupported members; the errors of
  ///   ``IdentityPoolService/assumeRole(_:at:)``.
  public func assumeRole(
    _ request: Request, requestID: String, at now: Timestamp = .now
  ) async throws(IdentityError) -> [UInt8] {
    let form = request.form
    let known = ["Action", "Version", "RoleArn", "RoleSessionName", "WebIdentityToken", "DurationSeconds"]
    for name in form.names where !known.contains(name) {
      // Ignoring a member, a session policy for instance, would grant too much.
      throw .parameterRefused(
        String(name.prefix(64)), rule: "it is not supported")
    }
    var duration: Int64? = nil
    if let text = form["DurationSeconds"] {
      guard let seconds = Int64(text), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
        throw .parameterType("DurationSeconds", expected: "a whole number")
      }
      duration = seconds
    }
    let credentials = try await service.assumeRole(
      IdentityPoolService.WebIdentityRequest(
        roleARN: form.required("RoleArn"), sessionName: form.required("RoleSessionName"),
        token: form.required("WebIdentityToken"),
        duration: duration.map { .seconds($0) }),
      at: now)
    let session = credentials.session
    var xml = Self.head("AssumeRoleWithWebIdentity")
    Self.element("SubjectFromWebIdentityToken", session.identityID, &xml)
    Self.element("Audience", session.poolID, &xml)
    Self.element("Provider", TrustPolicy.identityProvider, &xml)
    xml += Array("<AssumedRoleUser>".utf8)
    Self.element("Arn", session.assumedRoleARN, &xml)
    Self.element("AssumedRoleId", "\(credentials.accessKeyID):\(session.name)", &xml)
    xml += Array("</AssumedRoleUser><Credentials>".utf8)
    Self.element("AccessKeyId", credentials.accessKeyID, &xml)
    xml += Array("<SecretAccessKey>".utf8)
    credentials.secretAccessKey.withBytes { secret in
      for index in secret.indices { xml.append(secret[index]) }
    }
    xml += Array("</SecretAccessKey>".utf8)
    Self.element("SessionToken", credentials.sessionToken, &xml)
    Self.element("Expiration", credentials.expiration.description, &xml)
    xml += Array("</Credentials>".utf8)
    Self.foot("AssumeRoleWithWebIdentity", requestID, &xml)
    return xml
  }

  /// The caller of a signed request, whose signature was verified.
  public enum Caller: Sendable, Hashable {
    /// Temporary credentials.
    case session(SessionTokens.Session)
    /// A developer's access key.
    case developer(accessKeyID: String)
  }

  /// Reports the caller (`GetCallerIdentity`).
  ///
  /// - Parameters:
  ///   - caller: the caller.
  ///   - requestID: the id to report.
  /// - Returns: the response's XML.
  public func callerIdentity(_ caller: Caller, requestID: String) -> [UInt8] {
    var xml = Self.head("GetCallerIdentity")
    let account: String
    switch caller {
    case .session(let session):
      account = session.account
      Self.element("Arn", session.assumedRoleARN, &xml)
      Self.element("UserId", "\(session.identityID):\(session.name)", &xml)
    case .developer(let id):
      account = service.settings.account
      Self.element("Arn", "arn:aws:iam::\(account):user/developer", &xml)
      Self.element("UserId", id, &xml)
    }
    Self.element("Account", account, &xml)
    Self.foot("GetCallerIdentity", requestID, &xml)
    return xml
  }

  /// Returns the response to a refused request.
  ///
  /// - Parameters:
  ///   - error: the refusal.
  ///   - requestID: the id to report.
  /// - Returns: the HTTP status and the response's XML.
  public static func errorResponse(_ error: IdentityError, requestID: String) -> (status: Int, body: [UInt8])
  {
    let (status, code) = statusAndCode(of: error)
    var xml = Array("<ErrorResponse xmlns=\"\(namespace)\"><Error>".utf8)
    element("Type", status >= 500 ? "Receiver" : "Sender", &xml)
    element("Code", code, &xml)
    element("Message", error.publicMessage, &xml)
    xml += Array("</Error>".utf8)
    element("RequestId", requestID, &xml)
    xml += Array("</ErrorResponse>".utf8)
    return (status, xml)
  }

  private static func statusAndCode(of error: IdentityError) -> (Int, String) {
    switch error {
    case .webIdentityRefused(_, _, let isExpired):
      (400, isExpired ? "ExpiredTokenException" : "InvalidIdentityToken")
    case .operationUnknown: (400, "InvalidAction")
    case .requestMalformed: (400, "MalformedInput")
    case .signatureMissing: (403, "MissingAuthenticationToken")
    case .sessionTokenInvalid: (403, "InvalidClientTokenId")
    case .sessionExpired: (403, "ExpiredToken")
    case .signatureRefused(let error): (error.response.status, error.response.code)
    case .tooManyRequests, .storeBusy: (400, "Throttling")
    case .roleRefused, .roleUnknown, .roleUnusable, .classicFlowOff, .identityForbidden, .identityUnknown,
      .identityDisabled,
      .callerForbidden,
      .poolUnknown:
      (403, "AccessDenied")
    case .storeFailed, .outcomeUnknown, .cryptoFailed: (500, "InternalFailure")
    default: (400, "ValidationError")
    }
  }

  private static func head(_ action: String) -> [UInt8] {
    Array("<\(action)Response xmlns=\"\(namespace)\"><\(action)Result>".utf8)
  }

  private static func foot(_ action: String, _ requestID: String, _ xml: inout [UInt8]) {
    xml += Array("</\(action)Result><ResponseMetadata>".utf8)
    element("RequestId", requestID, &xml)
    xml += Array("</ResponseMetadata></\(action)Response>".utf8)
  }

  private static func element(_ name: String, _ text: String, _ xml: inout [UInt8]) {
    xml += Array("<\(name)>".utf8)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": xml += Array("&amp;".utf8)
      case "<": xml += Array("&lt;".utf8)
      case ">": xml += Array("&gt;".utf8)
      case "\"": xml += Array("&quot;".utf8)
      case "\t", "\n", "\r": xml += Array("&#\(scalar.value);".utf8)
      // XML cannot represent these (XML 1.0 section 2.2).
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": xml += Array("\u{FFFD}".utf8)
      default: xml += Array(String(scalar).utf8)
      }
    }
    xml += Array("</\(name)>".utf8)
  }
}
