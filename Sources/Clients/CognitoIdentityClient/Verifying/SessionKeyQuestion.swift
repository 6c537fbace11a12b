internal import HTTPExchange
internal import ServiceOperations
internal import SigV4
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The signed call by which an API asks for a session's key, for those who send it.
struct SessionKeyQuestion: Sendable {
  private let endpoint: IdentityEndpoint
  private let messages: OperationMessages

  init(_ endpoint: IdentityEndpoint) {
    self.endpoint = endpoint
    messages = OperationMessages(
      signingKeyService, at: endpoint.identity,
      limits: TransportLimits(timeout: .seconds(10), responseSize: 1 << 20))
  }

  /// The access key id, the session token and the scope of a request.
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
    ///
    /// - Throws: `signature` for an error of libcrypto.
    func name() throws(SessionRequestError) -> DigestKey {
      let parts = [accessKeyID, sessionToken, day ?? "", region, service, isPresigned ? "1" : "0"]
      let bytes = Array(parts.joined(separator: "\n").utf8)
      do { return DigestKey(try DigestAlgorithm.sha256(of: bytes.span)) } catch {
        throw .signature(.library("\(error)"))
      }
    }
  }

  /// The call, signed with the API's own credentials.
  func request(
    _ asked: Asked, with own: Credentials, at now: Timestamp
  ) throws(IdentityClientError) -> TransportRequest {
    let request = messages.request(
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
    do throws(OperationCallError) { return try messages.transportRequest(signed) } catch {
      throw IdentityClientError(error)
    }
  }

  /// Reads the response.
  func output(
    of response: consuming TransportResponse
  ) throws(IdentityClientError) -> GetScopedSigningKey.Output {
    do throws(OperationCallError) {
      return try messages.output(of: response, for: GetScopedSigningKey.self)
    } catch {
      throw IdentityClientError(error)
    }
  }
}

extension IdentityClientError {
  /// Why there is no response.
  init(_ error: TransportError) { self.init(OperationCallError(error)) }
}
