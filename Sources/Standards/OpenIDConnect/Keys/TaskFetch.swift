internal import HTTPExchange

/// Runs a fetch in a task, with an HTTP client.
struct TaskFetch: Sendable {
  let transport: any HTTPTransport
  /// The clock of the time limit.
  let timers: any Clock<Duration>

  /// Runs a fetch to its end. Errors are part of the result.
  func run(_ fetch: KeyFetch) async -> KeyFetch.Result {
    var step = fetch.start()
    while true {
      switch step {
      case .end(let result): return result
      case .send(let request, let fetch): step = await send(request, fetch)
      }
    }
  }

  /// Sends a request and parses the response. The time limit covers both, even if the transport ignores cancellation.
  private func send(_ request: TransportRequest, _ fetch: KeyFetch) async -> KeyFetch.Step {
    let (transport, timers, limit) = (transport, timers, request.limits.timeout)
    let late = fetch.take(.failure(.timeout(limit)))
    return await TimeLimit.run(within: limit, else: late, timers: timers) {
      let response: TransportResponse
      do throws(TransportError) { response = try await transport.send(request) } catch {
        return fetch.take(.failure(error))
      }
      return await ParsingQueue.run { fetch.take(.success(response)) }
    }
  }
}
