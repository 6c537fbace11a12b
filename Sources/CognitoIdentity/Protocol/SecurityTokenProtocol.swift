internal import TokenSecurityCrypto
public import TokenSecurityEncodings

/// The query protocol of AWS STS: a form in, XML out.
public struct SecurityTokenProtocol: Sendable {
  private let service: IdentityPoolService

  /// The namespace of answers, and the one version there is.
  private static let namespace = "https://sts.amazonaws.com/doc/2011-06-15/"
  private static let version = "2011-06-15"

  /// STS in front of a service.
  public init(_ service: IdentityPoolService) { self.service = service }

  /// What is asked.
  public enum Action: ExactString, Sendable, Hashable, CaseIterable {
    /// Unsigned: the token speaks for the caller.
    case assumeRoleWithWebIdentity = "AssumeRoleWithWebIdentity"
    /// Signed with temporary credentials of ours, or a developer's access key.
    case getCallerIdentity = "GetCallerIdentity"
  }

  /// A request that was read.
  public struct Request: Sendable {
    public let action: Action
    let form: QueryForm

    /// Reads a request's body.
    ///
    /// - Throws: `requestMalformed`, `operationUnknown`.
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

  /// Takes a role on.
  ///
  /// - Returns: the answer's XML. It has a secret in it; whoever sends it takes the bytes out once.
  public func assumeRole(_ request: Request, requestID: String, at now: NumericDate = .now)
    throws(IdentityError)
    -> [UInt8]
  {
    let form = request.form
    let known = ["Action", "Version", "RoleArn", "RoleSessionName", "WebIdentityToken", "DurationSeconds"]
    for name in form.names where !known.contains(name) {
      // A policy that would narrow the session must not be passed over.
      throw .parameterRefused(
        String(name.prefix(64)), rule: "it is not supported here, and would change the session")
    }
    var duration: Int64? = nil
    if let text = form["DurationSeconds"] {
      guard let seconds = Int64(text), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
        throw .parameterType("DurationSeconds", expected: "a whole number")
      }
      duration = seconds
    }
    let credentials = try service.assumeRole(
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

  /// Whoever signed a request that was verified.
  public enum Caller: Sendable, Hashable {
    case session(Session)
    case developer(accessKeyID: String)
  }

  /// Says who the caller is.
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

  /// The answer to a refused request: its status and XML.
  public static func answer(_ error: IdentityError, requestID: String) -> (status: Int, body: [UInt8]) {
    let (status, code) = fault(error)
    var xml = Array("<ErrorResponse xmlns=\"\(namespace)\"><Error>".utf8)
    element("Type", status >= 500 ? "Receiver" : "Sender", &xml)
    element("Code", code, &xml)
    element("Message", error.publicMessage, &xml)
    xml += Array("</Error>".utf8)
    element("RequestId", requestID, &xml)
    xml += Array("</ErrorResponse>".utf8)
    return (status, xml)
  }

  private static func fault(_ error: IdentityError) -> (Int, String) {
    switch error {
    case .webIdentityRefused(_, _, let isExpired):
      (400, isExpired ? "ExpiredTokenException" : "InvalidIdentityToken")
    case .operationUnknown: (400, "InvalidAction")
    case .requestMalformed: (400, "MalformedInput")
    case .signatureMissing: (403, "MissingAuthenticationToken")
    case .sessionTokenInvalid: (403, "InvalidClientTokenId")
    case .sessionExpired: (403, "ExpiredToken")
    case .signatureRefused(let error): (error.response.status, error.response.code)
    case .tooManyRequests: (400, "Throttling")
    case .roleRefused, .roleUnknown, .roleUnusable, .classicFlowOff, .identityForbidden, .identityUnknown,
      .identityDisabled,
      .callerForbidden,
      .poolUnknown:
      (403, "AccessDenied")
    case .storeFailed, .cryptoFailed: (500, "InternalFailure")
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
      // XML has no way to write these (XML 1.0 section 2.2).
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": xml += Array("\u{FFFD}".utf8)
      default: xml += Array(String(scalar).utf8)
      }
    }
    xml += Array("</\(name)>".utf8)
  }
}
