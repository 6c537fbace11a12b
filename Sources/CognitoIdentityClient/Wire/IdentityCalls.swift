public import AWSCredentials
public import HTTPExchange
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// The calls to identity pools, one function for each operation: those of devices, and those that a
/// developer's service signs.
///
///     let calls = IdentityCalls(endpoint: try IdentityEndpoint(region: "eu-west-1"), transport: transport)
///     let token = try await calls.openIDTokenForDeveloperIdentity(
///       poolID: pool, logins: ["login.my.app": user], with: credentials)
public struct IdentityCalls: Sendable {
  /// The service's address.
  public let endpoint: IdentityEndpoint
  private let transport: any HTTPTransport

  /// Creates the calls.
  ///
  /// - Parameters:
  ///   - endpoint: the service's address.
  ///   - transport: the HTTP client.
  public init(endpoint: IdentityEndpoint, transport: any HTTPTransport) {
    self.endpoint = endpoint
    self.transport = transport
  }

  /// An identity and its token.
  public struct IdentityToken: Sendable, Hashable {
    /// The identity.
    public let identityID: String
    /// The token, a compact JWS.
    public let token: String

    /// Creates a pair.
    public init(identityID: String, token: String) {
      self.identityID = identityID
      self.token = token
    }
  }

  /// An identity and its credentials.
  public struct IdentityCredentials: Sendable {
    /// The identity.
    public let identityID: String
    /// Its credentials.
    public let credentials: Credentials
  }

  /// `GetId`: the identity of logins, or a new guest.
  ///
  /// - Parameters:
  ///   - poolID: the pool.
  ///   - logins: tokens by provider name. Default: none, for a guest.
  /// - Returns: the identity id.
  /// - Throws: `refused`, `responseMalformed`, `unreachable`.
  public func identityID(poolID: String, logins: [String: String] = [:]) async throws(IdentityClientError)
    -> String
  {
    var body: JSONObject = ["IdentityPoolId": .string(poolID)]
    body.add(logins)
    let response = try await call("GetId", body)
    return try response.identity()
  }

  /// `GetOpenIdToken`: a token for the basic flow.
  ///
  /// - Parameters:
  ///   - identityID: the identity.
  ///   - logins: tokens by provider name. Default: none, for a guest.
  /// - Returns: the identity and its token.
  /// - Throws: `refused`, `responseMalformed`, `unreachable`.
  public func openIDToken(
    for identityID: String, logins: [String: String] = [:]
  ) async throws(IdentityClientError) -> IdentityToken {
    var body: JSONObject = ["IdentityId": .string(identityID)]
    body.add(logins)
    let response = try await call("GetOpenIdToken", body)
    return IdentityToken(identityID: try response.identity(), token: try response.text("Token"))
  }

  /// `GetCredentialsForIdentity`: credentials in the enhanced flow.
  ///
  /// - Parameters:
  ///   - identityID: the identity.
  ///   - logins: tokens by provider name. Default: none, for a guest.
  ///   - customRole: the ARN of one of the login's roles. Default: the pool decides.
  /// - Returns: the identity and its credentials.
  /// - Throws: `refused`, `responseMalformed`, `unreachable`, `credentialsUnusable`.
  public func credentials(
    for identityID: String, logins: [String: String] = [:], customRole: String? = nil
  ) async throws(IdentityClientError) -> IdentityCredentials {
    var body: JSONObject = ["IdentityId": .string(identityID)]
    body.add(logins)
    body["CustomRoleArn"] = customRole.map(JSONValue.string)
    let received = try await send("GetCredentialsForIdentity", body, signedWith: nil)
    return try received.body.withBytes { bytes throws(IdentityClientError) in
      let response = try ServiceResponse(bytes, status: received.status)
      let secret = try response.place("SecretKey", in: "Credentials")
      let end = try response.number("Expiration", in: "Credentials")
      do {
        let credentials = try Credentials(
          accessKeyID: response.text("AccessKeyId", in: "Credentials"),
          secretAccessKey: response.secret(secret),
          sessionToken: response.text("SessionToken", in: "Credentials"),
          expiration: Timestamp(seconds: end))
        return IdentityCredentials(identityID: try response.identity(), credentials: credentials)
      } catch let error as SigV4Error {
        throw IdentityClientError.credentialsUnusable(error)
      } catch let error as IdentityClientError {
        throw error
      } catch {
        throw IdentityClientError.responseMalformed(rule: "\(error)")
      }
    }
  }

  /// `UnlinkIdentity`: removes public logins from an identity.
  ///
  /// - Parameters:
  ///   - identityID: the identity.
  ///   - logins: tokens by provider name.
  ///   - providers: the names of the providers to remove.
  /// - Throws: `refused`, `responseMalformed`, `unreachable`.
  public func unlinkIdentity(
    _ identityID: String, logins: [String: String], removing providers: [String]
  ) async throws(IdentityClientError) {
    var body: JSONObject = [
      "IdentityId": .string(identityID), "LoginsToRemove": .array(providers.map(JSONValue.string)),
    ]
    body.add(logins)
    _ = try await call("UnlinkIdentity", body)
  }

  /// `GetOpenIdTokenForDeveloperIdentity`: a token for the user of a developer provider. For the developer's
  /// own service, never for devices: the call is signed with the developer's credentials.
  ///
  /// - Parameters:
  ///   - poolID: the pool.
  ///   - identityID: an identity to link the logins to. Default: the user's.
  ///   - logins: the user's identifier by the developer provider's name, and tokens of public providers to
  ///     link.
  ///   - duration: the token's lifetime, 1 to 86,400 whole seconds. Default: the service's 900 seconds.
  ///   - credentials: the developer's credentials.
  ///   - now: the time of the signature.
  /// - Returns: the identity and its token.
  /// - Throws: `configurationInvalid`, `refused`, `responseMalformed`, `unreachable`, `credentialsUnusable`.
  public func openIDTokenForDeveloperIdentity(
    poolID: String, identityID: String? = nil, logins: [String: String], duration: Duration? = nil,
    with credentials: Credentials, at now: Timestamp = .now
  ) async throws(IdentityClientError) -> IdentityToken {
    guard duration?.isWholeSeconds != false else {
      throw .configurationInvalid(rule: LifetimeError.fractional.description)
    }
    var body: JSONObject = ["IdentityPoolId": .string(poolID)]
    body["IdentityId"] = identityID.map(JSONValue.string)
    body["TokenDuration"] = duration.map { .number(JSONNumber($0.wholeSeconds)) }
    body.add(logins)
    let response = try await call(
      "GetOpenIdTokenForDeveloperIdentity", body, signedWith: credentials, at: now)
    return IdentityToken(identityID: try response.identity(), token: try response.text("Token"))
  }

  /// `AssumeRoleWithWebIdentity` of STS: the second step of the basic flow.
  ///
  /// - Parameters:
  ///   - role: the role and the lifetime of its credentials.
  ///   - token: the identity's token.
  /// - Returns: the role's credentials.
  /// - Throws: `refused`, `responseMalformed`, `unreachable`.
  public func assumeRole(
    _ role: RoleRequest, token: String
  ) async throws(IdentityClientError) -> Credentials {
    let (head, body) = role.webIdentityMessage(token: token)
    let response = try await exchange(head, body, with: endpoint.tokens)
    do {
      return try Credentials.fromTokenServiceResponse(response)
    } catch {
      switch error {
      case .serviceRefused(_, let code): throw .refused(type: code, message: "AssumeRoleWithWebIdentity")
      default: throw .responseMalformed(rule: "\(error)")
      }
    }
  }

  private func call(
    _ operation: String, _ body: JSONObject, signedWith credentials: Credentials? = nil,
    at now: Timestamp = .now
  ) async throws(IdentityClientError) -> ServiceResponse {
    let received = try await send(operation, body, signedWith: credentials, at: now)
    return try received.body.withBytes { bytes throws(IdentityClientError) in
      try ServiceResponse(bytes, status: received.status)
    }
  }

  private func send(
    _ operation: String, _ body: JSONObject, signedWith credentials: Credentials?, at now: Timestamp = .now
  ) async throws(IdentityClientError) -> SecretResponse {
    let bytes = JSONWriter.write(body)
    var head = RequestHead(
      "POST", "/",
      headers: [
        "Host": IdentityEndpoint.host(endpoint.identity), "Content-Type": "application/x-amz-json-1.1",
        "X-Amz-Target": "AWSCognitoIdentityService.\(operation)",
      ])
    if let credentials {
      do {
        head = try Signer(service: "cognito-identity", region: endpoint.region)
          .sign(head, body: .bytes(bytes), with: credentials, at: now).head
      } catch {
        throw .credentialsUnusable(error)
      }
    }
    return try await exchange(head, bytes, with: endpoint.identity)
  }

  private func exchange(
    _ head: RequestHead, _ body: [UInt8], with origin: String
  ) async throws(IdentityClientError) -> SecretResponse {
    let limits = TransportLimits(timeout: .seconds(10), responseSize: 262_144)
    do throws(TransportError) {
      return SecretResponse(
        try await transport.send(TransportRequest(head, body: body, to: origin, limits: limits)))
    } catch .tooLarge(let limit) {
      throw .responseMalformed(rule: "it has more than \(limit) bytes")
    } catch {
      throw .unreachable("\(error)")
    }
  }
}

extension JSONObject {
  fileprivate mutating func add(_ logins: [String: String]) {
    guard !logins.isEmpty else { return }
    var object = JSONObject()
    for (name, value) in logins.sorted(by: { $0.key < $1.key }) { object[name] = .string(value) }
    self["Logins"] = .object(object)
  }
}
