public import HTTPExchange
internal import ServiceOperations
public import SigV4
internal import TokenSecurityBase
internal import TokenSecurityCrypto

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
  let client: OperationClient

  /// Creates the calls.
  ///
  /// - Parameters:
  ///   - endpoint: the service's address.
  ///   - transport: the HTTP client.
  public init(endpoint: IdentityEndpoint, transport: any HTTPTransport) {
    self.endpoint = endpoint
    self.transport = transport
    client = OperationClient(
      identityPools, at: endpoint.identity, transport,
      limits: .poolCall)
  }

  /// Creates the calls to a region of AWS.
  ///
  /// - Parameters:
  ///   - region: the region, such as `eu-west-1`.
  ///   - transport: the HTTP client.
  /// - Throws: `configurationInvalid` for a malformed region.
  public init(region: String, transport: any HTTPTransport) throws(IdentityClientError) {
    self.init(endpoint: try IdentityEndpoint(region: region), transport: transport)
  }

  /// An identity and its token.
  public struct IdentityToken: Sendable, Hashable {
    /// The identity.
    public let identityID: String
    /// The token, a compact JWS.
    public let token: String

    /// Creates a pair.
    ///
    /// - Parameters:
    ///   - identityID: the identity.
    ///   - token: the token, a compact JWS.
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
    /// The end of the credentials.
    public var expiration: Timestamp { credentials.expiration ?? Timestamp(seconds: 0) }
  }

  /// `GetId`: the identity of logins, or a new guest.
  ///
  /// - Parameters:
  ///   - poolID: the pool.
  ///   - accountID: the account that the pool must belong to (`AccountId`). Default: any.
  ///   - logins: tokens by provider name. Default: none, for a guest.
  /// - Returns: the identity id.
  /// - Throws: `refused`, `responseMalformed`, `unreachable`.
  public func identityID(
    poolID: String, accountID: String? = nil, logins: [String: String] = [:]
  ) async throws(IdentityClientError) -> String {
    let output = try await call(GetID.self) {
      $0.poolID = poolID
      $0.accountID = accountID
      $0.logins = logins.asMember
    }
    return try present(output.identityID, "IdentityId")
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
    let output = try await call(GetOpenIDToken.self) {
      $0.identityID = identityID
      $0.logins = logins.asMember
    }
    return IdentityToken(
      identityID: try present(output.identityID, "IdentityId"), token: try present(output.token, "Token"))
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
    let output = try await call(GetCredentialsForIdentity.self) {
      $0.identityID = identityID
      $0.logins = logins.asMember
      $0.customRoleARN = customRole
    }
    guard let found = output.credentials else { throw .responseMalformed(rule: "it has no Credentials") }
    guard let secret = found.secretKey else { throw .responseMalformed(rule: "it has no SecretKey") }
    guard let end = found.expiration else { throw .responseMalformed(rule: "it has no Expiration") }
    let identity = try present(output.identityID, "IdentityId")
    let accessKeyID = try present(found.accessKeyID, "AccessKeyId")
    let sessionToken = try present(found.sessionToken, "SessionToken")
    do {
      let credentials = try Credentials(
        accessKeyID: accessKeyID, secretAccessKey: secret.withBytes { SecretBytes($0) },
        sessionToken: sessionToken, expiration: end)
      return IdentityCredentials(identityID: identity, credentials: credentials)
    } catch {
      throw .credentialsUnusable(error)
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
    _ = try await call(UnlinkIdentity.self) {
      $0.identityID = identityID
      $0.logins = logins.asMember ?? [:]
      $0.providers = providers
    }
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
    let input = GetOpenIDTokenForDeveloperIdentity.Input {
      $0.poolID = poolID
      $0.identityID = identityID
      $0.logins = logins.asMember ?? [:]
      $0.duration = duration?.wholeSeconds
    }
    let request = try signed(
      client.request(GetOpenIDTokenForDeveloperIdentity.self, input), with: credentials, at: now)
    let output = try await send(request, for: GetOpenIDTokenForDeveloperIdentity.self)
    return IdentityToken(
      identityID: try present(output.identityID, "IdentityId"), token: try present(output.token, "Token"))
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
    do throws(CredentialsError) {
      return try await role.credentials(for: token, over: transport, at: endpoint.tokens)
    } catch {
      switch error {
      case .serviceRefused(_, let code): throw .refused(type: code, message: "AssumeRoleWithWebIdentity")
      case .serviceUnreachable(let reason): throw .unreachable(reason)
      default: throw .responseMalformed(rule: "\(error)")
      }
    }
  }
}

extension [String: String] {
  /// The logins as a member of a request: absent for a guest.
  var asMember: [ExactString: String]? {
    guard !isEmpty else { return nil }
    var logins: [ExactString: String] = [:]
    for (provider, token) in self { logins[ExactString(provider)] = token }
    return logins
  }
}
