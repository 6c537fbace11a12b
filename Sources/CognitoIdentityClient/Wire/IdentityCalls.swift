public import AWSCredentials
public import HTTPExchange
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// The calls to identity pools, each as one function: those that devices make, and those that a developer's service signs.
///
///     let calls = IdentityCalls(endpoint: try IdentityEndpoint(region: "eu-west-1"), transport: HTTPClientTransport())
///     let token = try await calls.getOpenIDTokenForDeveloperIdentity(
///       poolID: pool, logins: ["login.my.app": user], with: credentials)
public struct IdentityCalls: Sendable {
  /// Where the service is.
  public let endpoint: IdentityEndpoint
  private let transport: any HTTPTransport

  /// Calls to `endpoint`.
  public init(endpoint: IdentityEndpoint, transport: any HTTPTransport) {
    self.endpoint = endpoint
    self.transport = transport
  }

  /// An identity, and its token.
  public struct IdentityToken: Sendable, Hashable {
    public let identityID: String
    /// The compact JWS.
    public let token: String

    public init(identityID: String, token: String) {
      self.identityID = identityID
      self.token = token
    }
  }

  /// An identity, and its credentials.
  public struct IdentityCredentials: Sendable {
    public let identityID: String
    public let credentials: Credentials
  }

  /// `GetId`: the identity of logins, or a new guest's.
  public func getID(poolID: String, logins: [String: String] = [:]) async throws(IdentityClientError)
    -> String
  {
    var body: JSONObject = ["IdentityPoolId": .string(poolID)]
    body.add(logins)
    let answer = try await call("GetId", body)
    return try answer.identity()
  }

  /// `GetOpenIdToken`: a token for the basic flow.
  public func getOpenIDToken(_ identityID: String, logins: [String: String] = [:])
    async throws(IdentityClientError)
    -> IdentityToken
  {
    var body: JSONObject = ["IdentityId": .string(identityID)]
    body.add(logins)
    let answer = try await call("GetOpenIdToken", body)
    return IdentityToken(identityID: try answer.identity(), token: try answer.text("Token"))
  }

  /// `GetCredentialsForIdentity`: the enhanced flow.
  public func getCredentials(
    for identityID: String, logins: [String: String] = [:], customRole: String? = nil
  ) async throws(IdentityClientError) -> IdentityCredentials {
    var body: JSONObject = ["IdentityId": .string(identityID)]
    body.add(logins)
    body["CustomRoleArn"] = customRole.map(JSONValue.string)
    let sent = try await send("GetCredentialsForIdentity", body, signedWith: nil)
    return try sent.body.withBytes { bytes throws(IdentityClientError) in
      let answer = try Answer(bytes, status: sent.status)
      let secret = try answer.place("SecretKey", in: "Credentials")
      let end = try answer.number("Expiration", in: "Credentials")
      do {
        let credentials = try Credentials(
          accessKeyID: answer.text("AccessKeyId", in: "Credentials"),
          secretAccessKey: answer.secret(secret),
          sessionToken: answer.text("SessionToken", in: "Credentials"),
          expiration: Timestamp(seconds: end))
        return IdentityCredentials(identityID: try answer.identity(), credentials: credentials)
      } catch let error as SigV4Error {
        throw IdentityClientError.credentialsUnusable(error)
      } catch let error as IdentityClientError {
        throw error
      } catch {
        throw IdentityClientError.responseMalformed(rule: "\(error)")
      }
    }
  }

  /// `UnlinkIdentity`: takes public logins off.
  public func unlinkIdentity(_ identityID: String, logins: [String: String], removing providers: [String])
    async throws(IdentityClientError)
  {
    var body: JSONObject = [
      "IdentityId": .string(identityID), "LoginsToRemove": .array(providers.map(JSONValue.string)),
    ]
    body.add(logins)
    _ = try await call("UnlinkIdentity", body)
  }

  /// `GetOpenIdTokenForDeveloperIdentity`, for the developer's own service: signed with its credentials, never from a device.
  ///
  /// - Parameters:
  ///   - poolID: the pool.
  ///   - identityID: an identity to link to; nil for the user's own.
  ///   - logins: the developer provider's name with the user's identifier, and tokens of public providers to be linked.
  ///   - duration: the token's lifetime, 1 to 86,400 whole seconds. Default: the service's, 900.
  ///   - credentials: the developer's.
  ///   - now: when it is signed.
  public func getOpenIDTokenForDeveloperIdentity(
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
    let answer = try await call("GetOpenIdTokenForDeveloperIdentity", body, signedWith: credentials, at: now)
    return IdentityToken(identityID: try answer.identity(), token: try answer.text("Token"))
  }

  /// `AssumeRoleWithWebIdentity` of STS: the basic flow's second step.
  ///
  /// - Parameters:
  ///   - role: the role, and how long its credentials shall hold.
  ///   - token: the identity's.
  ///   - now: when it is asked.
  public func assumeRole(_ role: RoleRequest, token: String, at now: Timestamp = .now)
    async throws(IdentityClientError)
    -> Credentials
  {
    let (head, body) = role.webIdentityMessage(token: token)
    let answer = try await exchange(head, body, with: endpoint.tokens)
    do {
      return try Credentials.ofSecurityTokenAnswer(answer)
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
  ) async throws(IdentityClientError) -> Answer {
    let sent = try await send(operation, body, signedWith: credentials, at: now)
    return try sent.body.withBytes { bytes throws(IdentityClientError) in
      try Answer(bytes, status: sent.status)
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
