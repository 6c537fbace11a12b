package import HTTPExchange
package import SigV4
package import TokenLifetime

extension RequestVerifier {
  /// Verifies a whole request with the key of its session, which the calling thread asks for.
  ///
  /// - Parameters:
  ///   - message: the request with its body.
  ///   - keys: the keys of sessions.
  ///   - address: the client's address, for policies; nil if it is unknown.
  ///   - now: the current time.
  ///   - transport: sends the question; nil if the call may not ask.
  /// - Returns: the request and its session.
  /// - Throws: as for tasks, and why the question was not sent.
  package func verify(
    _ message: HTTPMessage, with keys: CallerSessionKeys, from address: String?, at now: Timestamp,
    _ transport: () -> (any CallerTransport)?
  ) throws(CallerSessionError) -> SessionRequest<HashBinding> {
    let pending = try CallerSessionError.converting { () throws(SigV4Error) in try parse(message, at: now) }
    let values = try keys.values(
      for: pending.parameters, region: policy.region, from: address, at: now, transport)
    // Without a key it takes as long as a wrong signature.
    let request = try CallerSessionError.converting { () throws(SigV4Error) in
      try verify(pending, key: values?.key, body: message.body)
    }
    return try CallerSessionError.converting { () throws(SessionRequestError) in
      try sessionRequest(request, values, from: address, at: now)
    }
  }
}

/// Why a request is refused whose caller asks for keys itself.
package enum CallerSessionError: Error {
  /// As for tasks.
  case request(SessionRequestError)
  /// The question must be sent, and the call has nothing that sends it.
  case transportMissing
  /// This thread asks the same question: the call comes from within it.
  case reentered
  /// The caller gave up its question.
  case cancelled
  /// Another thread asks, and did not end in time.
  case timedOut

  static func converting<R>(_ body: () throws(SessionRequestError) -> R) throws(CallerSessionError) -> R {
    do throws(SessionRequestError) { return try body() } catch { throw .request(error) }
  }

  static func converting<R>(_ body: () throws(SigV4Error) -> R) throws(CallerSessionError) -> R {
    do throws(SigV4Error) { return try body() } catch { throw .request(.signature(error)) }
  }
}
