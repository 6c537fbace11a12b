internal import HTTPExchange
internal import ServiceOperations
internal import SigV4
internal import TokenLifetime
internal import TokenSecurityBase

/// The signed call by which an API asks for a session's key.
struct SessionKeyQuestion: Sendable {
  private let endpoint: IdentityEndpoint
  private let credentials: any CredentialsSource
  private let client: OperationClient

  init(_ endpoint: IdentityEndpoint, _ credentials: any CredentialsSource, _ transport: any HTTPTransport) {
    self.endpoint = endpoint
    self.credentials = credentials
    client = OperationClient(signingKeyService, at: endpoint.identity, transport)
  }

  /// What is asked: the access key id, the session token and the scope of a request.
  struct Asked: Sendable {
    let accessKeyID: String
    let sessionToken: String
    /// Nil for SigV4A.
    let day: String?
    let region: String
    let service: String
    let isPresigned: Bool

    /// Nil for a request whose session token no service of this kind has issued: nothing is asked for it.
    init?(_ parameters: SignatureParameters, region: String) {
      guard let token = parameters.sessionToken, TextBounds.sessionToken.allows(token),
        TextBounds.sessionKeyID.allows(parameters.accessKeyID)
      else { return nil }
      let scope = parameters.scope
      accessKeyID = parameters.accessKeyID
      sessionToken = token
      day = parameters.algorithm == .hmacSHA256 ? scope.day : nil
      self.region = scope.region ?? region
      service = scope.service
      isPresigned = parameters.placement == .query
    }

    /// The name of the answer. No part has a line feed.
    var bytes: [UInt8] {
      let parts = [accessKeyID, sessionToken, day ?? "", region, service, isPresigned ? "1" : "0"]
      return Array(parts.joined(separator: "\n").utf8)
    }
  }

  func ask(
    _ asked: Asked, at now: Timestamp
  ) async throws(IdentityClientError) -> GetScopedSigningKey.Output {
    let own: Credentials
    do { own = try await credentials.credentials(at: now) } catch {
      throw .configurationInvalid(rule: "the API's own credentials: \(error)")
    }
    let request = client.request(
      GetScopedSigningKey.self,
      GetScopedSigningKey.Input {
        $0.accessKeyID = asked.accessKeyID
        $0.sessionToken = asked.sessionToken
        $0.region = asked.region
        $0.service = asked.service
        $0.day = asked.day
        $0.isPresigned = asked.isPresigned
        if asked.day == nil { $0.algorithm = .ecdsa }
      })
    let signed = try endpoint.signed(request, for: signingKeyService, with: own, at: now)
    do throws(OperationCallError) {
      return try await client.send(signed, for: GetScopedSigningKey.self)
    } catch {
      throw IdentityClientError(error)
    }
  }
}
