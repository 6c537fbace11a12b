public import HTTPExchange
internal import ServiceOperations
public import SigV4
internal import Synchronization
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

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
  /// Maximum number of keys that are kept. One takes about a kilobyte.
  public let capacity: Int
  /// Maximum number of questions at the same time. What comes beyond is refused as ``SessionRequestError/busy(limit:)``.
  public let questions: Int

  private let question: SessionKeyQuestion
  private let shared = SharedParts()
  private let state = Mutex(State())

  private struct State {
    var known = ExpiringTable<SessionAnswer>()
    var flights: [DigestKey: Flight] = [:]
    /// Number of questions under way for each address.
    var asking: [ExactString: Int] = [:]
    /// The sessions whose values are kept as well, in a ring.
    var latest: [KnownSession] = []
    var next = 0
    /// Answers to questions of an earlier one are not kept.
    var generation = 0
  }

  private struct Flight {
    let answer: SingleFlight<SessionAnswer>
    let address: ExactString
  }

  /// How long a refused session is refused without a question, in seconds.
  private static let refusalAge: Int64 = 10

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
    question = SessionKeyQuestion(endpoint, credentials, transport)
    self.capacity = max(1, capacity)
    self.questions = max(1, questions)
  }

  /// The number of keys that are kept, refused ones included.
  public var count: Int { state.withLock { $0.known.count } }

  /// Forgets all keys, so that each session is asked for again. Answers to questions under way are not kept.
  public func removeAll() {
    state.withLock {
      $0.known = ExpiringTable()
      $0.latest = []
      $0.next = 0
      $0.generation += 1
    }
  }

  /// The answer for the session of a request; nil for one without a session token of such a service, which is not asked for.
  ///
  /// - Throws: `busy`, `unavailable`.
  func answer(
    _ parameters: SignatureParameters, region: String, from address: String?, at now: Timestamp
  ) async throws(SessionRequestError) -> SessionAnswer? {
    guard let asked = SessionKeyQuestion.Asked(parameters, region: region) else { return nil }
    let name: DigestKey
    do { name = DigestKey(try DigestAlgorithm.sha256(of: asked.bytes.span)) } catch {
      throw .signature(.library("\(error)"))
    }
    let found = state.withLock { state -> (SessionAnswer?, SingleFlight<SessionAnswer>?) in
      let known = state.known[name]?.value
      if let known, known.isFresh(at: now) { return (known, nil) }
      if let flight = state.flights[name] { return (nil, flight.answer) }
      guard mayAsk(state, address, knows: known?.isValid == true) else { return (nil, nil) }
      let generation = state.generation
      let flight = SingleFlight<SessionAnswer> { [self] in await ask(asked, name, generation, at: now) }
      let key = ExactString(address ?? "")
      state.flights[name] = Flight(answer: flight, address: key)
      state.asking[key, default: 0] += 1
      return (nil, flight)
    }
    if let known = found.0 { return known }
    guard let flight = found.1 else { throw .busy(limit: questions) }
    guard let value = await flight.value else { throw .unavailable(.unreachable("the task was cancelled")) }
    return value
  }

  /// The values of a session, for its request. Those of a few hundred sessions are kept.
  func values(
    of session: KnownSession, _ parameters: SignatureParameters
  ) throws(SessionRequestError) -> KnownSession.Prepared {
    let (values, isNew) = try session.prepared(parameters)
    guard isNew else { return values }
    let earliest = state.withLock { state -> KnownSession? in
      guard state.latest.count == Self.latestCount else {
        state.latest.append(session)
        return nil
      }
      let earliest = state.latest[state.next]
      state.latest[state.next] = session
      state.next = (state.next + 1) % Self.latestCount
      return earliest
    }
    if let earliest, earliest !== session { earliest.forgetValues() }
    return values
  }

  /// Maximum number of sessions whose values are kept, a few kilobytes each.
  private static let latestCount = 256

  /// Half of the questions are for sessions that were valid before, whose tokens strangers cannot make up. An address may have
  /// a quarter of the others.
  private func mayAsk(_ state: borrowing State, _ address: String?, knows isKnown: Bool) -> Bool {
    guard state.flights.count < questions else { return false }
    guard !isKnown else { return true }
    let others = max(1, questions / 2)
    guard state.flights.count < others else { return false }
    guard let address else { return true }
    return state.asking[ExactString(address), default: 0] < max(1, others / 4)
  }

  private func ask(
    _ asked: SessionKeyQuestion.Asked, _ name: DigestKey, _ generation: Int, at now: Timestamp
  ) async -> SessionAnswer {
    let answer: SessionAnswer
    do throws(IdentityClientError) {
      let output = try await question.ask(asked, at: now)
      answer = try SessionAnswer(output, asked, sharing: shared, at: now)
    } catch {
      if case .refused("InvalidSessionException", let message) = error {
        answer = .refused(message: message, from: now, until: now.advanced(bySeconds: Self.refusalAge))
      } else {
        answer = .failed(error)
      }
    }
    state.withLock { state in
      if let flight = state.flights.removeValue(forKey: name) {
        let left = state.asking[flight.address, default: 1] - 1
        state.asking[flight.address] = left > 0 ? left : nil
      }
      guard let end = answer.kept, state.generation == generation else { return }
      state.known.removeExpired(at: now.seconds, limit: 2)
      if state.known.count >= capacity, state.known[name] == nil, let first = state.known.first {
        _ = state.known.remove(first.key)
      }
      state.known.insert(name, until: end.seconds, answer)
    }
    return answer
  }
}
