internal import ServiceOperations
internal import SigV4
internal import Synchronization
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The keys of sessions that are kept, and which questions may be sent: for tasks and for threads, whose questions are of
/// different types.
final class SessionKeyCache<Flight: Sendable>: Sendable {
  /// Maximum number of keys that are kept.
  let capacity: Int
  /// Maximum number of questions at the same time.
  let questions: Int

  private let latest: Int
  private let shared = SharedParts()
  private let state = Mutex(State())

  private struct State {
    var known = ExpiringTable<SessionAnswer>()
    var flights: [DigestKey: UnderWay] = [:]
    /// Number of questions under way for each address.
    var asking: [ExactString: Int] = [:]
    /// The sessions whose values are kept as well, in a ring. It keeps none of them: a session that is not known any more goes with
    /// its key.
    var latest: [Latest] = []
    var next = 0
    /// Answers to questions of an earlier one are not kept.
    var generation = 0
    /// The number of the next question.
    var number = 0

    mutating func end(_ name: DigestKey) {
      guard let flight = flights.removeValue(forKey: name) else { return }
      let left = asking[flight.address, default: 1] - 1
      asking[flight.address] = left > 0 ? left : nil
    }
  }

  private struct Latest {
    weak let session: KnownSession?
  }

  private struct UnderWay {
    let flight: Flight
    let address: ExactString
    let number: Int
  }

  /// A question that may be sent. Its answer ends it.
  struct Ticket: Sendable {
    let asked: SessionKeyQuestion.Asked
    fileprivate let name: DigestKey
    fileprivate let number: Int
    fileprivate let generation: Int
  }

  /// The next step of a request of a session.
  enum Step {
    case use(SessionAnswer)
    /// Another one has sent the same question.
    case wait(Flight)
    case ask(Flight, Ticket)
  }

  /// Makes an empty cache.
  ///
  /// - Parameters:
  ///   - capacity: maximum number of keys.
  ///   - questions: maximum number of questions at the same time.
  ///   - latest: maximum number of sessions whose values are kept, a few kilobytes each. Default: 256.
  init(capacity: Int, questions: Int, latest: Int = 256) {
    self.capacity = max(1, capacity)
    self.questions = max(1, questions)
    self.latest = latest
  }

  var count: Int { state.withLock { $0.known.count } }

  func removeAll() {
    state.withLock {
      $0.known = ExpiringTable()
      $0.latest = []
      $0.next = 0
      $0.generation += 1
    }
  }

  /// An answer that serves now.
  func answer(_ name: DigestKey, at now: Timestamp) -> SessionAnswer? {
    state.withLock { Self.fresh($0, name, at: now) }
  }

  private static func fresh(_ state: borrowing State, _ name: DigestKey, at now: Timestamp) -> SessionAnswer?
  {
    guard let known = state.known[name]?.value, known.isFresh(at: now) else { return nil }
    return known
  }

  /// Finds the next step of a request of a session.
  ///
  /// - Parameters:
  ///   - asked: what is asked for it.
  ///   - name: the name of the answer.
  ///   - address: the client's address.
  ///   - now: the current time.
  ///   - isLost: true for a question that nobody will end, or not in time.
  ///   - begin: makes the question of a ticket, within the lock.
  /// - Returns: the step.
  /// - Throws: `busy`.
  func step(
    _ asked: SessionKeyQuestion.Asked, _ name: DigestKey, from address: String?, at now: Timestamp,
    isLost: (Flight) -> Bool, begin: (Ticket) -> Flight
  ) throws(SessionRequestError) -> Step {
    let step = state.withLock { state -> Step? in
      if let known = Self.fresh(state, name, at: now) { return .use(known) }
      if let other = state.flights[name] {
        guard isLost(other.flight) else { return .wait(other.flight) }
        state.end(name)
      }
      let isKnown = state.known[name]?.value.isValid == true
      if !mayAsk(state, address, knows: isKnown) {
        for (name, other) in state.flights where isLost(other.flight) { state.end(name) }
        guard mayAsk(state, address, knows: isKnown) else { return nil }
      }
      let ticket = Ticket(asked: asked, name: name, number: state.number, generation: state.generation)
      state.number += 1
      let flight = begin(ticket)
      let key = ExactString(address ?? "")
      state.flights[name] = UnderWay(flight: flight, address: key, number: ticket.number)
      state.asking[key, default: 0] += 1
      return .ask(flight, ticket)
    }
    guard let step else { throw .busy(limit: questions) }
    return step
  }

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

  /// Ends a question with its answer, which is kept.
  ///
  /// - Parameters:
  ///   - ticket: the question.
  ///   - result: what the service has said.
  ///   - now: the time of the question.
  /// - Returns: the answer as it is kept.
  func end(
    _ ticket: Ticket, with result: Result<GetScopedSigningKey.Output, IdentityClientError>, at now: Timestamp
  ) -> SessionAnswer {
    let answer = answer(ticket.asked, result, at: now)
    state.withLock { state in
      // One that took too long, and was replaced, changes nothing.
      guard state.flights[ticket.name]?.number == ticket.number else { return }
      state.end(ticket.name)
      guard let end = answer.kept, state.generation == ticket.generation else { return }
      state.known.removeExpired(at: now.seconds, limit: 2)
      if state.known.count >= capacity, state.known[ticket.name] == nil, let first = state.known.first {
        _ = state.known.remove(first.key)
      }
      state.known.insert(ticket.name, until: end.seconds, answer)
    }
    return answer
  }

  /// Ends a question that was given up: it has no answer.
  func abandon(_ ticket: Ticket) {
    state.withLock { state in
      if state.flights[ticket.name]?.number == ticket.number { state.end(ticket.name) }
    }
  }

  private func answer(
    _ asked: SessionKeyQuestion.Asked, _ result: Result<GetScopedSigningKey.Output, IdentityClientError>,
    at now: Timestamp
  ) -> SessionAnswer {
    do throws(IdentityClientError) {
      let output = try result.get()
      return try SessionAnswer(output, asked, sharing: shared, at: now)
    } catch .refused("InvalidSessionException", let message) {
      let end = now.advanced(bySeconds: SessionKeyLimits.refusalAge)
      return .refused(message: message, from: now, until: end)
    } catch {
      return .failed(error)
    }
  }

  /// The values of an answer's session, for its request.
  ///
  /// - Throws: `sessionRefused`, `unavailable`.
  func values(
    of answer: SessionAnswer, _ parameters: SignatureParameters
  ) throws(SessionRequestError) -> KnownSession.Prepared {
    switch answer {
    case .valid(let session): try values(of: session, parameters)
    case .refused(let message, _, _): throw .sessionRefused(message: message)
    case .failed(let error): throw .unavailable(error)
    }
  }

  /// The values of a session, for its request. Those of a few hundred sessions are kept.
  func values(
    of session: KnownSession, _ parameters: SignatureParameters
  ) throws(SessionRequestError) -> KnownSession.Prepared {
    let (values, isNew) = try session.prepared(parameters)
    guard isNew else { return values }
    let earliest = state.withLock { state -> KnownSession? in
      let entry = Latest(session: session)
      guard state.latest.count == latest else {
        state.latest.append(entry)
        return nil
      }
      let earliest = state.latest[state.next].session
      state.latest[state.next] = entry
      state.next = (state.next + 1) % latest
      return earliest
    }
    if let earliest, earliest !== session { earliest.forgetValues() }
    return values
  }
}

/// Limits of all caches of keys.
private enum SessionKeyLimits {
  /// How long a refused session is refused without a question, in seconds.
  static let refusalAge: Int64 = 10
}
