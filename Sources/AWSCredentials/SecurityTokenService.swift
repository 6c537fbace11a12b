public import SigV4
public import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import TokenLifetime

/// Whoever can send a request to AWS STS over HTTPS. `SigV4Credentials` has one over async-http-client.
///
/// An implementation must check the server's certificate and its name, follow no redirect, and read no more than
/// 64 KiB of an answer.
public protocol CredentialsTransport: Sendable {
  /// Sends `request` to `https://` and its `Host`.
  ///
  /// - Throws: `serviceUnreachable`.
  func send(_ request: HTTPMessage) async throws(CredentialsFault) -> ServiceAnswer
}

/// What a service answered; the body may have secrets.
public struct ServiceAnswer: ~Copyable, Sendable {
  /// The status of HTTP.
  public let status: Int
  /// The body.
  public let body: SecretBytes

  public init(status: Int, body: consuming SecretBytes) {
    self.status = status
    self.body = body
  }
}

/// A role that is taken on with AWS STS.
public struct RoleRequest: Sendable, Hashable {
  /// The role's name, `arn:aws:iam::123456789012:role/NAME`.
  public var roleARN: String
  /// What the session is called in logs.
  public var sessionName: String
  /// How many seconds the credentials hold: 900 to 43,200.
  public var duration: Int64
  /// The region whose service is asked.
  public var region: String
  /// What a role of another account may want besides.
  public var externalID: String?

  /// A request; one hour unless said otherwise.
  ///
  /// - Throws: `unusable` with `lifetime` or `scopePart` for what STS would refuse.
  public init(
    roleARN: String, sessionName: String = "token-security", duration: Int64? = nil,
    region: String = "us-east-1",
    externalID: String? = nil
  ) throws(CredentialsFault) {
    do {
      self.duration = try LifetimeRule.webIdentitySession.judge(
        requested: duration.map { .seconds($0) }
      ).wholeSeconds
    } catch {
      throw .unusable(.lifetime(error))
    }
    do { try CredentialScope.check(region, "region") } catch { throw .unusable(error) }
    self.roleARN = roleARN
    self.sessionName = sessionName
    self.region = region
    self.externalID = externalID
  }

  var host: String { "sts.\(region).amazonaws.com" + (region.hasPrefix("cn-") ? ".cn" : "") }

  func form(_ action: String, _ more: [(String, String)]) -> [UInt8] {
    let fields =
      [
        ("Action", action), ("Version", "2011-06-15"), ("RoleArn", roleARN), ("RoleSessionName", sessionName),
        ("DurationSeconds", String(duration)),
      ] + more
    var body: [UInt8] = []
    for (index, field) in fields.enumerated() {
      if index > 0 { body.append(UInt8(ascii: "&")) }
      PercentEncoding.append(field.0.utf8.span, keepingSlashes: false, to: &body)
      body.append(UInt8(ascii: "="))
      PercentEncoding.append(field.1.utf8.span, keepingSlashes: false, to: &body)
    }
    return body
  }

  func head(_ body: [UInt8]) -> RequestHead {
    RequestHead(
      "POST", "/",
      headers: [
        "Host": host, "Content-Type": "application/x-www-form-urlencoded",
        "Content-Length": String(body.count),
      ])
  }
}

/// A web identity: a role that is taken on with the token of an OpenID provider, which lies in a file and is renewed
/// there.
public struct WebIdentityCredentials: CredentialsSource {
  private let tokenPath: String
  private let request: RoleRequest
  private let transport: any CredentialsTransport

  public init(tokenPath: String, request: RoleRequest, transport: any CredentialsTransport) {
    self.tokenPath = tokenPath
    self.request = request
    self.transport = transport
  }

  /// From `AWS_WEB_IDENTITY_TOKEN_FILE`, `AWS_ROLE_ARN`, `AWS_ROLE_SESSION_NAME` and `AWS_REGION`.
  ///
  /// - Throws: `notFound` where the first or the second is not set.
  public static func fromEnvironment(
    transport: any CredentialsTransport
  ) throws(CredentialsFault) -> WebIdentityCredentials {
    guard let path = SystemFiles.variable("AWS_WEB_IDENTITY_TOKEN_FILE") else {
      throw .notFound(tried: ["AWS_WEB_IDENTITY_TOKEN_FILE is not set"])
    }
    guard let role = SystemFiles.variable("AWS_ROLE_ARN") else {
      throw .notFound(tried: ["AWS_ROLE_ARN is not set"])
    }
    return WebIdentityCredentials(
      tokenPath: path,
      request: try RoleRequest(
        roleARN: role, sessionName: SystemFiles.variable("AWS_ROLE_SESSION_NAME") ?? "token-security",
        region: SystemFiles.variable("AWS_REGION") ?? SystemFiles.variable("AWS_DEFAULT_REGION")
          ?? "us-east-1"),
      transport: transport)
  }

  public func credentials(at now: AmzDate = .now) async throws(CredentialsFault) -> Credentials {
    guard let file = try SystemFiles.read(tokenPath) else {
      throw .fileUnreadable(path: tokenPath, reason: "there is no such file")
    }
    let token = file.withBytes { bytes in
      String(
        decoding: [UInt8](unwipedCopy: bytes).filter { $0 != 0x0A && $0 != 0x0D }[...].trimmingBlanks,
        as: UTF8.self)
    }
    // Three parts of base64url: whether it holds is for the service to say.
    let isToken = token.utf8.allSatisfy { PercentEncoding.isUnreserved($0) && $0 != UInt8(ascii: "~") }
    guard isToken, token.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 2 else {
      throw .tokenUnusable(path: tokenPath)
    }
    return try Credentials.ofSecurityTokenAnswer(
      await transport.send(request.webIdentityMessage(token: token)))
  }
}

extension RoleRequest {
  /// The request of `AssumeRoleWithWebIdentity` with a token at hand.
  package func webIdentityMessage(token: String) -> HTTPMessage {
    let body = form("AssumeRoleWithWebIdentity", [("WebIdentityToken", token)])
    return HTTPMessage(head: head(body), body: body)
  }
}

/// A role that is taken on with other credentials: what `source_profile` of a shared file means.
public struct AssumedRoleCredentials: CredentialsSource {
  private let source: any CredentialsSource
  private let request: RoleRequest
  private let transport: any CredentialsTransport

  public init(source: any CredentialsSource, request: RoleRequest, transport: any CredentialsTransport) {
    self.source = source
    self.request = request
    self.transport = transport
  }

  public func credentials(at now: AmzDate = .now) async throws(CredentialsFault) -> Credentials {
    let credentials = try await source.credentials(at: now)
    let body = request.form("AssumeRole", request.externalID.map { [("ExternalId", $0)] } ?? [])
    let signed: SignedRequest
    do {
      signed = try Signer(service: "sts", region: request.region).sign(
        request.head(body), body: .bytes(body), with: credentials, at: now)
    } catch {
      throw .unusable(error)
    }
    let answer = try await transport.send(HTTPMessage(head: signed.head, body: body))
    return try Credentials.ofSecurityTokenAnswer(answer)
  }
}

extension Credentials {
  /// Takes credentials out of an answer of AWS STS.
  package static func ofSecurityTokenAnswer(_ answer: borrowing ServiceAnswer) throws(CredentialsFault)
    -> Credentials
  {
    let status = answer.status
    return try answer.body.withBytes { bytes throws(CredentialsFault) in
      let leaves = XMLText(bytes)
      guard status == 200 else {
        let code = leaves?.range("Error", "Code").map { XMLText.text(bytes, $0) }
        throw .serviceRefused(status: status, code: code ?? "")
      }
      guard let leaves, let id = leaves.range("Credentials", "AccessKeyId"),
        let secret = leaves.range("Credentials", "SecretAccessKey"),
        let token = leaves.range("Credentials", "SessionToken"),
        let end = leaves.range("Credentials", "Expiration")
      else { throw .serviceAnswer("it has no credentials") }
      guard let expiration = AmzDate(iso8601: XMLText.text(bytes, end)) else {
        throw .serviceAnswer("their end is no date")
      }
      return try Credentials.from(
        XMLText.text(bytes, id), SecretBytes(bytes.extracting(secret)), XMLText.text(bytes, token),
        expiration)
    }
  }
}
