internal import AsyncHTTPTransport
internal import CognitoIdentityClient
internal import CognitoUserPoolClient
internal import SigV4
internal import TokenSecurityBase

/// AWS credentials of an identity pool for the current user.
struct CurrentUserIdentity {
  private let transport: HTTPClientTransport
  private let endpoint: IdentityEndpoint
  private let provider: IdentityProvider

  /// A provider whose logins are the sessions.
  init(_ poolID: String, _ sessions: UserPoolSessions, _ transport: HTTPClientTransport) async throws {
    let pool = sessions.client.pool
    self.transport = transport
    endpoint = try IdentityEndpoint(address: pool.endpoint.address, region: pool.region)
    provider = try IdentityProvider(
      poolID: poolID, calls: IdentityCalls(endpoint: endpoint, transport: transport), logins: sessions)
    await sessions.inform(provider)
  }

  /// Answers the questions about identities; nil for any other.
  func answer(_ question: Question) async throws -> JSONObject? {
    switch question.text("op") {
    case "cached_identity":
      return ["identity": (await provider.cachedIdentityID).map { .string($0) } ?? .null]
    case "caller":
      // The credentials sign a request that the service verifies.
      let credentials = try await provider.credentials()
      let body = Array("Action=GetCallerIdentity&Version=2011-06-15".utf8)
      let head = RequestHead(
        "POST", "/",
        headers: [
          "Host": String(endpoint.tokens.split(separator: "/").last ?? ""),
          "Content-Type": "application/x-www-form-urlencoded",
        ])
      let signed = try Signer(service: "sts", region: endpoint.region)
        .sign(head, body: .bytes(body), with: credentials)
      let response = try await transport.send(
        TransportRequest(signed.head, body: body, to: endpoint.tokens, limits: RoleRequest.limits))
      return [
        "identity": .string(try await provider.identityID()),
        "body": .string(String(decoding: response.body, as: UTF8.self)),
      ]
    default: return nil
    }
  }
}
