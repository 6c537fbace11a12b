internal import AsyncHTTPTransport
internal import OpenIDConnect
internal import PolicyDocuments
internal import Synchronization
internal import TokenSecurityPlatform

/// The object of a `ts_verifier`. Where it fetches keys, its tasks start with the first use, so that a process can make it and
/// then fork.
final class VerifierObject: Sendable {
  private let verifier: OpenIDVerifier
  /// Nil if no keys are fetched.
  private let transport: FetchingTransport?
  private var fetchesKeys: Bool { transport != nil }
  /// Keeps keys fresh, from the first use on.
  private let refresh = Mutex<Task<Void, Never>?>(nil)
  private let isStarted = Atomic(false)

  init(_ document: PolicyDocument) throws {
    try document.checkFiles()
    transport = document.fetchesKeys ? FetchingTransport(document) : nil
    verifier = try OpenIDVerifier(
      document.issuers, transport: transport ?? NoTransport() as any HTTPTransport,
      configuration: document.fetching,
      cache: document.cacheCapacity.map { VerifiedTokenCache(capacity: $0) }, watch: BackgroundWork.watch
    ) { SystemClock.bootSeconds }
    // Last, so that a wrong policy has an error of its own.
    if fetchesKeys { try TaskRuntime.check() }
  }

  deinit {
    guard !TaskRuntime.isForked else {
      // To close its connections would need the threads that are gone.
      if let transport { _ = unsafe Unmanaged.passRetained(transport) }
      return
    }
    guard let refresh = refresh.withLock({ $0 }) else { return }
    BackgroundWork.noteChange()
    refresh.cancel()
  }

  /// Starts the tasks that fetch keys, unless they run.
  private func start() throws(CallError) {
    guard !isStarted.load(ordering: .acquiring) else { return }
    try TaskRuntime.begin()
    refresh.withLock { refresh in
      guard refresh == nil else { return }
      BackgroundWork.noteChange()
      transport?.open()
      BackgroundWork.noteChange()
      refresh = Task { [verifier] in await verifier.keepFresh() }
      isStarted.store(true, ordering: .releasing)
    }
  }

  /// Verifies a token with cached keys, and fetches keys that are missing within a time.
  func verify(_ compact: String, at now: NumericDate, milliseconds: UInt32) throws -> VerifiedToken {
    let isForked = fetchesKeys && TaskRuntime.isForked
    if fetchesKeys, !isForked { try start() }
    do throws(OpenIDError) {
      return try isForked ? verifier.verifyOffline(compact, at: now) : verifier.verify(compact, at: now)
    } catch {
      guard fetchesKeys, error.canChangeWithKeys, isForked || milliseconds > 0 else { throw error }
    }
    return try fetching(within: milliseconds) { [verifier] () async throws(OpenIDError) in
      try await verifier.verifyFetchingKeys(compact, at: now)
    }
  }

  /// Explains a verification, and fetches keys that are missing within a time.
  func explain(_ compact: String, at now: NumericDate, milliseconds: UInt32) throws -> Explanation {
    if !fetchesKeys || TaskRuntime.isForked {
      do throws(OpenIDError) { return try verifier.explainOffline(compact, at: now) } catch {
        guard fetchesKeys, error.canChangeWithKeys else { throw error }
      }
    }
    return try fetching(within: milliseconds) { [verifier] () async throws(OpenIDError) in
      try await verifier.explainFetchingKeys(compact, at: now)
    }
  }

  /// Fetches the keys of all issuers.
  func prefetch(milliseconds: UInt32) throws {
    guard fetchesKeys else { return }
    _ = try fetching(within: milliseconds) { [verifier] () async throws(OpenIDError) in
      try await verifier.prefetch()
      return true
    }
  }

  private func fetching<Value: Sendable>(
    within milliseconds: UInt32, _ body: @escaping @Sendable () async throws(OpenIDError) -> Value
  ) throws -> Value {
    guard !TaskRuntime.isForked else { throw CallError.processForked }
    try start()
    BackgroundWork.noteCall()
    defer { BackgroundWork.noteCall() }
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
