/// Sends one request on the thread that calls it. It blocks until the response is there.
package protocol CallerTransport: Sendable {
  /// Sends one request.
  ///
  /// - Parameter request: the request, with its limits.
  /// - Returns: the response with any status.
  /// - Throws: why there is no response.
  func send(_ request: TransportRequest) throws(CallerTransportError) -> TransportResponse
}

/// Why a caller has no response.
package enum CallerTransportError: Error {
  /// There is none.
  case failed(TransportError)
  /// The caller gives up. This says nothing about the server.
  case cancelled
  /// The call's time is over, before that of the fetch. This says nothing about the server, either.
  case outOfTime
}

extension CallerTransport {
  /// Sends one request within a time. A response that comes later is not used.
  ///
  /// - Parameters:
  ///   - request: the request. Its limit of time is replaced.
  ///   - limit: the time, in milliseconds.
  ///   - milliseconds: a clock.
  ///   - late: what is thrown when the time is over.
  /// - Returns: the response with any status.
  /// - Throws: why there is no response.
  package func send(
    _ request: TransportRequest, within limit: Int64, _ milliseconds: () -> Int64, late: CallerTransportError
  ) throws(CallerTransportError) -> TransportResponse {
    guard limit > 0 else { throw late }
    let start = milliseconds()
    var request = request
    request.limits.timeout = .milliseconds(limit)
    let response: TransportResponse
    do throws(CallerTransportError) { response = try send(request) } catch {
      if case .failed = error, milliseconds() - start >= limit { throw late }
      throw error
    }
    guard milliseconds() - start < limit else { throw late }
    return response
  }
}
