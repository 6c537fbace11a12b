internal import HTTPExchange
internal import TokenLifetime
internal import TokenSecurityBase

/// The requests of a fetch, on the thread of the call.
extension CallerFlight {
  /// Sends the requests of a fetch.
  ///
  /// - Throws: `cancelled` and `outOfTime` alone.
  func sendAll(
    _ first: KeyFetch, _ fetch: CallerFetch, _ clocks: CallerClocks
  ) throws(CallerTransportError) -> KeyFetch.Result {
    var step = first.start()
    while true {
      switch step {
      case .end(let result): return result
      case .send(let request, let next):
        do throws(CallerTransportError) { step = next.take(.success(try send(request, fetch, clocks))) } catch
        {
          guard case .failed(let reason) = error else { throw error }
          step = next.take(.failure(reason))
        }
      }
    }
  }

  /// Sends a request within its limits and the call's time. A response that comes later is not used.
  ///
  /// - Throws: `outOfTime` if the time of the call was over, which was too short for a fetch from its beginning.
  private func send(
    _ request: TransportRequest, _ fetch: CallerFetch, _ clocks: CallerClocks
  ) throws(CallerTransportError) -> TransportResponse {
    let own = request.limits.timeout.wholeMilliseconds
    let limit = min(own, fetch.deadline.saturatingDifference(clocks.milliseconds()))
    return try fetch.transport.send(
      request, within: limit, clocks.milliseconds,
      late: limit < own && !hasFullTime
        ? .outOfTime : .failed(.timeout(.milliseconds(max(limit, 0)))))
  }
}
