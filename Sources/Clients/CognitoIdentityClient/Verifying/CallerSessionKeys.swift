internal import HTTPExchange
internal import ServiceOperations
package import SigV4
internal import Synchronization
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// The signing keys of sessions as ``SessionKeys`` has them, with questions that its callers send on their own threads.
///
/// It starts no thread and no task, so that a process can fork at any time at which no call is in progress.
package final class CallerSessionKeys: Sendable {
  private let question: SessionKeyQuestion
  private let credentials: Credentials
  private let limit: Int64
  private let milliseconds: @Sendable () -> Int64
  private let cache: SessionKeyCache<CallerQuestion>

  /// How long a question may take after its time limit, in milliseconds, until another thread may send it.
  private static let patience: Int64 = 1_000

  /// Makes an empty cache.
  ///
  /// - Parameters:
  ///   - endpoint: the service.
  ///   - credentials: the API's own access key.
  ///   - limit: the time of a call for its question, or for waiting for another one, in milliseconds.
  ///   - capacity: the most keys that are kept. Default: 10,000.
  ///   - questions: the most questions at the same time. Default: 64.
  ///   - milliseconds: the clock of the limit. Default: the machine's.
  package init(
    endpoint: IdentityEndpoint, credentials: Credentials, limit: Int64, capacity: Int = 10_000,
    questions: Int = 64, milliseconds: @escaping @Sendable () -> Int64 = { SystemClock.uptimeMilliseconds }
  ) {
    question = SessionKeyQuestion(endpoint)
    self.credentials = credentials
    self.limit = limit
    self.milliseconds = milliseconds
    cache = SessionKeyCache(capacity: capacity, questions: questions)
  }

  /// The values of the session of a request; nil for one without a session token of such a service, which is not asked for.
  func values(
    for parameters: SignatureParameters, region: String, from address: String?, at now: Timestamp,
    _ transport: () -> (any CallerTransport)?
  ) throws(CallerSessionError) -> KnownSession.Prepared? {
    guard let asked = SessionKeyQuestion.Asked(parameters, region: region) else { return nil }
    let answer = try answer(asked, from: address, at: now, transport)
    return try CallerSessionError.converting { () throws(SessionRequestError) in
      try cache.values(of: answer, parameters)
    }
  }

  private func answer(
    _ asked: SessionKeyQuestion.Asked, from address: String?, at now: Timestamp,
    _ transport: () -> (any CallerTransport)?
  ) throws(CallerSessionError) -> SessionAnswer {
    let name = try CallerSessionError.converting { () throws(SessionRequestError) in try asked.name() }
    if let known = cache.answer(name, at: now) { return known }
    guard let transport = transport() else { throw .transportMissing }
    let deadline = milliseconds().saturatingSum(limit)
    // More than once, because the thread that asks may give up.
    while true {
      let step = try CallerSessionError.converting { () throws(SessionRequestError) in
        try cache.step(
          asked, name, from: address, at: now, isLost: { !$0.work.isUnderWay(at: milliseconds()) },
          begin: { _ in CallerQuestion(until: deadline.saturatingSum(Self.patience)) })
      }
      switch step {
      case .use(let known): return known
      case .ask(let question, let ticket):
        defer { question.work.done.happen() }
        let answer = try ask(ticket, transport, until: deadline, at: now)
        question.answer.withLock { $0 = answer }
        return answer
      case .wait(let question):
        guard !question.work.isOwn else { throw .reentered }
        let left = min(deadline, question.work.end).saturatingDifference(milliseconds())
        _ = question.work.done.wait(milliseconds: left)
        if let answer = question.answer.withLock({ $0 }) { return answer }
        guard milliseconds() < deadline else { throw .timedOut }
      }
    }
  }

  /// Asks on this thread.
  private func ask(
    _ ticket: SessionKeyCache<CallerQuestion>.Ticket, _ transport: any CallerTransport, until deadline: Int64,
    at now: Timestamp
  ) throws(CallerSessionError) -> SessionAnswer {
    var result: Result<GetScopedSigningKey.Output, IdentityClientError>?
    do throws(IdentityClientError) {
      let request = try question.request(ticket.asked, with: credentials, at: now)
      if let response = try send(request, transport, until: deadline) {
        result = .success(try question.output(of: response))
      }
    } catch {
      result = .failure(error)
    }
    guard let result else {
      cache.abandon(ticket)
      throw .cancelled
    }
    return cache.end(ticket, with: result, at: now)
  }

  /// The response; nil where the caller gives up.
  private func send(
    _ request: TransportRequest, _ transport: any CallerTransport, until deadline: Int64
  ) throws(IdentityClientError) -> TransportResponse? {
    let left = deadline.saturatingDifference(milliseconds())
    do throws(CallerTransportError) {
      return try transport.send(
        request, within: left, milliseconds, late: .failed(.timeout(.milliseconds(max(left, 0)))))
    } catch {
      guard case .failed(let reason) = error else { return nil }
      throw IdentityClientError(reason)
    }
  }
}

/// A question that a thread sends, and its answer when it is there; none for one that was given up.
final class CallerQuestion: Sendable {
  let work: ThreadWork
  let answer = Mutex<SessionAnswer?>(nil)

  init(until end: Int64) { work = ThreadWork(until: end) }
}
