public import HTTPExchange
internal import TokenLifetime
public import TokenSecurityBase

/// A request to AWS STS to assume a role.
public struct RoleRequest: Sendable, Hashable {
  /// The ARN of the role, `arn:aws:iam::123456789012:role/NAME`.
  public var roleARN: String
  /// The name of the session in logs.
  public var sessionName: String
  /// The lifetime of the credentials, 900 to 43,200 seconds.
  public var duration: Duration
  /// The region of the STS endpoint.
  public var region: AWSRegion
  /// The external ID, which a role of another account can require.
  public var externalID: String?
  /// The endpoint to use instead of AWS's endpoint of the region: a VPC endpoint, or a test server.
  public var endpoint: HTTPURL?

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - roleARN: the ARN of the role.
  ///   - sessionName: the name of the session in logs.
  ///   - duration: the lifetime of the credentials. Default: one hour.
  ///   - region: the region of the STS endpoint.
  ///   - externalID: the external ID, which a role of another account can require.
  ///   - endpoint: the endpoint to use instead of AWS's endpoint of the region.
  /// - Throws: `unusable` with `lifetime` or `scopePart` for what STS would refuse.
  public init(
    roleARN: String, sessionName: String = "token-security", duration: Duration? = nil,
    region: String = "us-east-1", externalID: String? = nil, endpoint: HTTPURL? = nil
  ) throws(CredentialsError) {
    do {
      self.duration = try LifetimeRule.webIdentitySession.validate(requested: duration)
    } catch {
      throw .unusable(.lifetime(error))
    }
    do { self.region = try AWSRegion(region) } catch { throw .regionInvalid(error) }
    self.roleARN = roleARN
    self.sessionName = sessionName
    self.externalID = externalID
    self.endpoint = endpoint
  }

  var host: String { region.host(of: "sts") }

  func form(_ action: String, _ more: [(String, String)]) -> [UInt8] {
    let fields =
      [
        ("Action", action), ("Version", "2011-06-15"), ("RoleArn", roleARN), ("RoleSessionName", sessionName),
        ("DurationSeconds", String(duration.wholeSeconds)),
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

/// Credentials of a role for a web identity: the token of an OpenID provider in a file that another program
/// renews.
public struct WebIdentityCredentials: CredentialsSource {
  private let tokenPath: String
  private let request: RoleRequest
  private let transport: any HTTPTransport

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - tokenPath: the file of the token.
  ///   - request: the role.
  ///   - transport: the HTTP client that reaches AWS STS.
  public init(tokenPath: String, request: RoleRequest, transport: any HTTPTransport) {
    self.tokenPath = tokenPath
    self.request = request
    self.transport = transport
  }

  /// Creates a source from `AWS_WEB_IDENTITY_TOKEN_FILE`, `AWS_ROLE_ARN`, `AWS_ROLE_SESSION_NAME` and
  /// `AWS_REGION`.
  ///
  /// - Parameters:
  ///   - transport: the HTTP client that reaches AWS STS.
  ///   - endpoint: the endpoint to use instead of AWS's endpoint of the region.
  /// - Returns: the source.
  /// - Throws: `notFound` when the first or the second variable is not set.
  public static func fromEnvironment(
    transport: any HTTPTransport, endpoint: HTTPURL? = nil
  ) throws(CredentialsError) -> WebIdentityCredentials {
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
          ?? "us-east-1", endpoint: endpoint),
      transport: transport)
  }

  /// Reads the token and requests credentials from AWS STS.
  public func credentials(at now: Timestamp = .now) async throws(CredentialsError) -> Credentials {
    guard let file = try SystemFiles.read(tokenPath) else {
      throw .fileUnreadable(path: tokenPath, reason: "the file does not exist")
    }
    let token = file.withBytes { bytes in
      String(
        decoding: [UInt8](unwipedCopy: bytes).filter { $0 != 0x0A && $0 != 0x0D }[...].trimmingBlanks,
        as: UTF8.self)
    }
    // Checks only the form, three parts of base64url. The service verifies the token.
    let isToken = token.utf8.allSatisfy { PercentEncoding.isUnreserved($0) && $0 != UInt8(ascii: "~") }
    guard isToken, token.utf8.count(where: { $0 == UInt8(ascii: ".") }) == 2 else {
      throw .tokenUnusable(path: tokenPath)
    }
    return try await request.credentials(for: token, over: transport)
  }
}

extension RoleRequest {
  /// The role's credentials for a web identity's token: `AssumeRoleWithWebIdentity`. `origin` is the address
  /// to use instead of the request's endpoint.
  package func credentials(
    for token: String, over transport: any HTTPTransport, at origin: String? = nil
  ) async throws(CredentialsError) -> Credentials {
    let body = form("AssumeRoleWithWebIdentity", [("WebIdentityToken", token)])
    return try Credentials.fromTokenServiceResponse(
      await send(head(body), body, over: transport, at: origin))
  }

  /// Limits of an exchange with AWS STS.
  package static let limits = TransportLimits(timeout: .seconds(10), responseSize: 65_536)

  func send(
    _ head: RequestHead, _ body: [UInt8], over transport: any HTTPTransport, at origin: String? = nil
  ) async throws(CredentialsError) -> SecretResponse {
    let origin = origin ?? endpoint?.origin ?? "https://" + host
    do throws(TransportError) {
      return SecretResponse(
        try await transport.send(TransportRequest(head, body: body, to: origin, limits: Self.limits)))
    } catch .tooLarge(let limit) {
      throw .serviceResponse("more than \(limit) bytes")
    } catch {
      throw .serviceUnreachable("\(error)")
    }
  }
}

/// Credentials of a role that is assumed with other credentials, as with `source_profile` of a shared file.
public struct AssumedRoleCredentials: CredentialsSource {
  private let source: any CredentialsSource
  private let request: RoleRequest
  private let transport: any HTTPTransport

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - source: the credentials that assume the role.
  ///   - request: the role.
  ///   - transport: the HTTP client that reaches AWS STS.
  public init(source: any CredentialsSource, request: RoleRequest, transport: any HTTPTransport) {
    self.source = source
    self.request = request
    self.transport = transport
  }

  /// Requests credentials of the role from AWS STS.
  public func credentials(at now: Timestamp = .now) async throws(CredentialsError) -> Credentials {
    let credentials = try await source.credentials(at: now)
    let body = request.form("AssumeRole", request.externalID.map { [("ExternalId", $0)] } ?? [])
    let signed: SignedRequest
    do {
      signed = try Signer(service: "sts", region: request.region.description).sign(
        request.head(body), body: .bytes(body), with: credentials, at: now)
    } catch {
      throw .unusable(error)
    }
    return try Credentials.fromTokenServiceResponse(await request.send(signed.head, body, over: transport))
  }
}

extension Credentials {
  /// The credentials in a response of AWS STS.
  package static func fromTokenServiceResponse(
    _ response: borrowing SecretResponse
  ) throws(CredentialsError) -> Credentials {
    let status = response.status
    return try response.body.withBytes { bytes throws(CredentialsError) in
      let document = XMLText(bytes)
      guard status == 200 else {
        let code = document?.range("Error", "Code").map { XMLText.text(bytes, $0) }
        throw .serviceRefused(status: status, code: code ?? "")
      }
      guard let document, let id = document.range("Credentials", "AccessKeyId"),
        let secret = document.range("Credentials", "SecretAccessKey"),
        let token = document.range("Credentials", "SessionToken"),
        let end = document.range("Credentials", "Expiration")
      else { throw .serviceResponse("no credentials") }
      guard let expiration = Timestamp(iso8601: XMLText.text(bytes, end)) else {
        throw .serviceResponse("Expiration is not a date")
      }
      return try Credentials.from(
        XMLText.text(bytes, id), SecretBytes(bytes.extracting(secret)), XMLText.text(bytes, token),
        expiration)
    }
  }
}
