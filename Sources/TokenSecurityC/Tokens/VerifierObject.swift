internal import AsyncHTTPTransport
internal import OpenIDConnect
internal import PolicyDocuments
internal import TokenSecurityPlatform

/// The object of a `ts_verifier`.
final class VerifierObject: Sendable {
  private let verifier: OpenIDVerifier
  /// The process that can fetch keys. Threads do not survive a fork.
  private let process: Int32
  /// Keeps keys fresh. Nil if no keys are fetched.
  private let refresh: Task<Void, Never>?

  init(_ document: PolicyDocument) throws {
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
    process = CurrentProcess.number
    refresh = document.fetchesKeys ? Task { await verifier.keepFresh() } : nil
  }

  deinit { refresh?.cancel() }

  /// Verifies a token with cached keys, and fetches keys that are missing within a time.
  func verify(_ compact: String, at now: NumericDate, milliseconds: UInt32) throws -> VerifiedToken {
    do throws(OpenIDError) { return try verifier.verify(compact, at: now) } catch {
      guard milliseconds > 0, refresh != nil, Self.canBeFetched(error) else { throw error }
    }
    return try fetching(within: milliseconds) { [verifier] () async throws(OpenIDError) in
      try await verifier.verifyFetchingKeys(compact, at: now)
    }
  }

  /// Explains a verification, and fetches keys that are missing within a time.
  func explain(_ compact: String, at now: NumericDate, milliseconds: UInt32) throws -> Explanation {
    try fetching(within: milliseconds) { [verifier] () async throws(OpenIDError) in
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
    guard CurrentProcess.number == process else { throw CallError.processForked }
    guard let result = Waiting.result(within: milliseconds, body) else {
      throw CallError.timedOut(milliseconds: milliseconds)
    }
    return try result.get()
  }

  /// True if the keys are missing, or the issuer may have a new one.
  private static func canBeFetched(_ error: OpenIDError) -> Bool {
    switch error {
    case .keysNotCached, .token(.keyNotFound): true
    default: false
    }
  }
}

/// For verifiers whose keys are given.
private struct NoTransport: HTTPTransport {
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    throw .connection("the verifier fetches no keys")
  }
}
