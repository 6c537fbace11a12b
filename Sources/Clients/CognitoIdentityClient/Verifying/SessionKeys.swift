public import HTTPExchange
internal import ServiceOperations
public import SigV4
internal import TokenLifetime
internal import TokenSecurityBase

/// The signing keys of sessions, which an API asks an `identity-service` for. The API has no secret of them.
///
///     func keys(_ own: Credentials, _ transport: any HTTPTransport) throws -> SessionKeys {
///       let endpoint = try IdentityEndpoint(address: "https://id.example", region: "eu-west-1")
///       return SessionKeys(endpoint: endpoint, credentials: StaticCredentials(own), transport: transport)
///     }
///
///     func read(_ message: HTTPMessage, _ verifier: RequestVerifier, _ keys: SessionKeys) async throws {
///       let request = try await verifier.verify(message, with: keys)
///       try request.check("orders:Read", on: "arn:aws:orders:eu-west-1:123456789012:order/17")
///     }
///
/// An answer serves as long as the service says, at most until its session ends: a session that was revoked is refused by then, and
/// at most the time of a question later. Of equal questions at the same time one is sent. Questions about sessions that were valid
/// before go before others, and one address may not ask all of them.
public final class SessionKeys: Sendable {
  private let question: SessionKeyQuestion
  private let credentials: any CredentialsSource
  private let transport: any HTTPTransport
  private let cache: SessionKeyCache<SingleFlight<SessionAnswer>>

  /// Makes an empty cache.
  ///
  /// - Parameters:
  ///   - endpoint: the service.
  ///   - credentials: the API's own access key, made with `key create --api`.
  ///   - transport: the HTTP client.
  ///   - capacity: the most keys that are kept. Default: 10,000.
  ///   - questions: the most questions at the same time. Default: 64.
  public init(
    endpoint: IdentityEndpoint, credentials: any CredentialsSource, transport: any HTTPTransport,
    capacity: Int = 10_000, questions: Int = 64
  ) {
    question = SessionKeyQuestion(endpoint)
    self.credentials = credentials
    self.transport = transport
    cache = SessionKeyCache(capacity: capacity, questions: questions)
  }

  /// Maximum number of keys that are kept. One takes about a kilobyte.
  public var capacity: Int { cache.capacity }

  /// Maximum number of questions at the same time. What comes beyond is refused as ``SessionRequestError/busy(limit:)``.
  public var questions: Int { cache.questions }

  /// The number of keys that are kept, refused ones included.
  public var count: Int { cache.count }

  /// Forgets all keys, so that each session is asked for again. Answers to questions under way are not kept.
  public func removeAll() { cache.removeAll() }

  /// The answer for the session of a request; nil for one without a session token of such a service, which is not asked for.
  ///
  /// - Throws: `busy`, `unavailable`.
  func answer(
    _ parameters: SignatureParameters, region: String, from address: String?, at now: Timestamp
  ) async throws(SessionRequestError) -> SessionAnswer? {
    guard let asked = SessionKeyQuestion.Asked(parameters, region: region) else { return nil }
    let step = try cache.step(asked, asked.name(), from: address, at: now, isLost: { _ in false }) { ticket in
      SingleFlight { [self] in cache.end(ticket, with: await ask(ticket.asked, at: now), at: now) }
    }
    switch step {
    case .use(let known): return known
    case .wait(let flight), .ask(let flight, _):
      guard let value = await flight.value else { throw .unavailable(.unreachable("the task was cancelled")) }
      return value
    }
  }

  /// The values of a request's session; nil for a request that is verified without a key, which takes as long as a wrong
  /// signature.
  ///
  /// - Throws: `sessionRefused`, `busy`, `unavailable`.
  func values(
    of parameters: SignatureParameters, region: String, from address: String?, at now: Timestamp
  ) async throws(SessionRequestError) -> KnownSession.Prepared? {
    guard let answer = try await answer(parameters, region: region, from: address, at: now) else {
      return nil
    }
    return try cache.values(of: answer, parameters)
  }

  private func ask(
    _ asked: SessionKeyQuestion.Asked, at now: Timestamp
  ) async -> Result<GetScopedSigningKey.Output, IdentityClientError> {
    do {
      return .success(try await output(asked, at: now))
    } catch {
      return .failure(error)
    }
  }

  private func output(
    _ asked: SessionKeyQuestion.Asked, at now: Timestamp
  ) async throws(IdentityClientError) -> GetScopedSigningKey.Output {
    let own: Credentials
    do { own = try await credentials.credentials(at: now) } catch {
      throw .configurationInvalid(rule: "the API's own credentials: \(error)")
    }
    let request = try question.request(asked, with: own, at: now)
    let response: TransportResponse
    do throws(TransportError) { response = try await transport.send(request) } catch {
      throw IdentityClientError(error)
    }
    return try question.output(of: consume response)
  }
}
