internal import AsyncHTTPTransport
internal import OpenIDConnect
internal import PolicyDocuments

/// The object of a `ts_verifier`.
final class VerifierObject: Sendable {
  private let verifier: OpenIDVerifier
  private let transport: any HTTPTransport
  /// Keeps keys fresh. Nil if no keys are fetched.
  private let refresh: Task<Void, Never>?

  init(_ document: PolicyDocument) throws {
    try document.checkFiles()
    if document.fetchesKeys {
      if TaskRuntime.isForked {
        // A wrong policy has an error of its own.
        _ = try OpenIDVerifier(document.issuers, transport: NoTransport(), configuration: document.fetching)
      }
      try TaskRuntime.begin()
    }
    let transport: any HTTPTransport =
      if document.fetchesKeys {
        HTTPClientTransport(
          TransportConfiguration(
            trustRoots: document.trustRoots.map { .file($0) } ?? .system,
            addresses: document.fetching.addresses))
      } else {
        NoTransport()
      }
    let verifier = try OpenIDVerifier(
      document.issuers, transport: transport, configuration: document.fetching,
      cache: document.cacheCapacity.map { VerifiedTokenCache(capacity: $0) })
    self.verifier = verifier
    self.transport = transport
    refresh = document.fetchesKeys ? Task { await verifier.keepFresh() } : nil
  }

  deinit {
    guard !TaskRuntime.isForked else {
      // To close its connections would need the threads that are gone.
      _ = unsafe Unmanaged.passRetained(transport as AnyObject)
      return
    }
    refresh?.cancel()
  }

  /// Verifies a token with cached keys, and fetches keys that are missing within a time.
  func verify(_ compact: String, at now: NumericDate, milliseconds: UInt32) throws -> VerifiedToken {
    let isForked = refresh != nil && TaskRuntime.isForked
    do throws(OpenIDError) {
      return try isForked ? verifier.verifyOffline(compact, at: now) : verifier.verify(compact, at: now)
    } catch {
      guard refresh != nil, error.canChangeWithKeys, isForked || milliseconds > 0 else { throw error }
    }
    return try fetching(within: milliseconds) { [verifier] () async throws(OpenIDError) in
      try await verifier.verifyFetchingKeys(compact, at: now)
    }
  }

  /// Explains a verification, and fetches keys that are missing within a time.
  func explain(_ compact: String, at now: NumericDate, milliseconds: UInt32) throws -> Explanation {
    if refresh == nil || TaskRuntime.isForked {
      do throws(OpenIDError) { return try verifier.explainOffline(compact, at: now) } catch {
        guard refresh != nil, error.canChangeWithKeys else { throw error }
      }
    }
    return try fetching(within: milliseconds) { [verifier] () async throws(OpenIDError) in
      try await verifier.explainFetchingKeys(compact, at: now)
    }
  }

  /// Fetches the keys of all issuers.
  func prefetch(milliseconds: UInt32) throws {
    guard refresh != nil else { return }
    _ = try fetching(within: milliseconds) { [verifier] () async throws(OpenIDError) in
      try await verifier.prefetch()
      return true
    }
  }

  private func fetching<Value: Sendable>(
    within milliseconds: UInt32, _ body: @escaping @Sendable () async throws(OpenIDError) -> Value
  ) throws -> Value {
    try TaskRuntime.begin()
    guard let result = Waiting.result(within: milliseconds, body) else {
      throw CallError.timedOut(milliseconds: milliseconds)
    }
    return try result.get()
  }
}

/// For verifiers whose keys are given.
private struct NoTransport: HTTPTransport {
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    throw .connection("the verifier fetches no keys")
  }
}
