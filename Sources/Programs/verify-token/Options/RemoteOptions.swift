internal import ArgumentParser
internal import JOSE
internal import OpenIDConnect
internal import TokenSecurityBase

/// The options for fetching keys.
struct RemoteOptions: ParsableArguments {
  @Option(
    name: .customLong("ca-file"),
    help: ArgumentHelp(
      "PEM file with the root certificates to trust instead of the system's.", valueName: "file"),
    completion: .file())
  var caFile: String?

  @Option(
    name: .customLong("timeout"),
    help: ArgumentHelp("Time limit of each request: 1s to 5m. Default: 5s.", valueName: "duration"),
    transform: DurationArgument.checked)
  var timeoutText: String?

  /// The value of `--timeout`.
  private var timeout: DurationArgument { DurationArgument(timeoutText) ?? DurationArgument(seconds: 5) }

  @Option(
    name: .customLong("keys-cache"),
    help: ArgumentHelp(
      "Cache fetched key sets in this folder between runs, in files that only you can read.",
      valueName: "folder"), completion: .directory)
  var keysCache: String?

  @Flag(name: .customLong("plain-loopback"), help: "Allow plain http to this machine.")
  var plainLoopback = false

  /// Fetches a key set.
  ///
  /// - Parameters:
  ///   - location: where the set is.
  ///   - header: the token's header. The set is fetched again if the cached one lacks its key. Nil to fetch
  ///     the set whatever is cached.
  /// - Returns: the key set.
  /// - Throws: `UsageError` if the keys cannot be fetched.
  func fetch(_ location: KeySetLocation, for header: JOSEHeader?) throws -> JWKSet {
    let configuration = try configuration()
    let roots = try TrustRoots(file: caFile)
    let network = try FetchProcess(trustRoots: roots.file)
    guard let keysCache else {
      return try keys(
        RemoteKeySet(location, transport: network, configuration: configuration), header, searchesAgain: false
      )
    }
    let cache = try KeysCache(
      folder: keysCache, location: location, trustRoots: roots.name, configuration: configuration,
      alwaysFetches: header == nil,
      network: network)
    func fetch() throws -> JWKSet {
      // The cached set may lack a key that the server has now: the second call searches for it.
      try keys(
        RemoteKeySet(location, transport: cache, configuration: configuration), header, searchesAgain: true)
    }
    let set: JWKSet
    do { set = try fetch() } catch {
      guard cache.hasServed else { throw error }
      // The cached response may be the reason, for example a URL that the keys have moved from.
      cache.bypass()
      set = try fetch()
    }
    cache.save()
    return set
  }

  /// Checks the options without fetching.
  ///
  /// - Throws: `UsageError` for the options that ``fetch(_:for:)`` refuses.
  func check() throws {
    _ = try configuration()
    _ = try TrustRoots(file: caFile)
  }

  /// How keys are fetched.
  ///
  /// - Throws: `UsageError` for a time limit out of its range.
  func configuration() throws -> RemoteKeySetConfiguration {
    guard (1...300).contains(timeout.seconds) else {
      throw UsageError("--timeout must be 1s to 5m, not \(timeout.seconds)s", code: UsageError.optionsWrong)
    }
    var configuration = RemoteKeySetConfiguration()
    // The fetching process ends itself after this time; waiting for it takes a little longer.
    configuration.timeout = .seconds(timeout.seconds)
    configuration.allowsPlainLoopback = plainLoopback
    return configuration
  }

  /// The error of a fetch. It names the option that would have allowed it.
  private func refusal(_ error: OpenIDError) -> UsageError {
    guard !plainLoopback, case .keysUnavailable(_, .transport(.notSecure(let address))) = error,
      let url = try? HTTPURL(address), url.isLoopback
    else { return UsageError(error) }
    return UsageError("\(error): add --plain-loopback [\(error.codeText)]", code: error.codeText)
  }

  private func keys(_ set: RemoteKeySet, _ header: JOSEHeader?, searchesAgain: Bool) throws -> JWKSet {
    do {
      try Blocking.run { () async throws(OpenIDError) in
        guard let header else { return try await set.prefetch() }
        if try await set.keys(for: header).knows(header) || !searchesAgain { return }
        _ = try await set.keys(for: header)
      }
    } catch { throw refusal(error) }
    guard let keys = set.cached else {
      throw UsageError("no keys were fetched", code: UsageError.keysUnusable)
    }
    return keys
  }
}
