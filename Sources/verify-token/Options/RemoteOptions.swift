internal import ArgumentParser
internal import TokenSecurityEncodings
internal import JOSE
internal import OpenIDConnect

/// The options that say how keys are fetched.
struct RemoteOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Trust the certificates of servers that these roots vouch for (PEM), and no others.", valueName: "file"),
    completion: .file())
  var caFile: String?

  @Option(help: ArgumentHelp("How long each answer may take: 1s to 5m.", valueName: "duration"))
  var timeout: DurationArgument = DurationArgument(seconds: 5)

  @Option(
    help: ArgumentHelp(
      "Keep fetched key sets here between runs, readable by you alone, until their time runs out.",
      valueName: "folder"), completion: .directory)
  var keysCache: String?

  @Flag(help: "Let keys be fetched over plain http from this very machine.")
  var plainLoopback = false

  /// The key set at `location`, which knows the key of `header` if the server does.
  ///
  /// - Parameters:
  ///   - header: of the token that is to be verified; nil where any key may be wanted, and the server is
  ///     asked whatever is kept.
  ///   - location: where the set lies.
  /// - Throws: `UsageProblem` with the reason where the keys cannot be had.
  func fetch(_ location: KeySetLocation, for header: JOSEHeader?) throws -> JWKSet {
    var rules = RemoteKeySetConfiguration()
    guard (1...300).contains(timeout.seconds) else {
      throw UsageProblem("--timeout is 1s to 5m, and \(timeout.seconds)s was given")
    }
    // The fetching process ends by itself in this time; waiting for it takes a little longer.
    rules.timeout = .seconds(timeout.seconds)
    rules.allowsPlainLoopback = plainLoopback
    let roots = try TrustRoots(file: caFile)
    let network = try FetchProcess(trustRoots: roots.file)
    guard let keysCache else {
      return try keys(RemoteKeySet(location, transport: network, rules: rules), header, searchesAgain: false)
    }
    let cache = try KeysCache(
      folder: keysCache, location: location, trustRoots: roots.name, rules: rules, asksAlways: header == nil,
      network: network)
    func fetch() throws -> JWKSet {
      // What was kept may lack a key that the server has by now: the second call searches for it.
      try keys(RemoteKeySet(location, transport: cache, rules: rules), header, searchesAgain: true)
    }
    let set: JWKSet
    do { set = try fetch() } catch {
      guard cache.hasServed else { throw error }
      // What was kept may be why, for example an address that the keys have moved from.
      cache.bypass()
      set = try fetch()
    }
    cache.keep()
    return set
  }

  private func keys(_ set: RemoteKeySet, _ header: JOSEHeader?, searchesAgain: Bool) throws -> JWKSet {
    do {
      try Blocking.run { () async throws(OpenIDError) in
        guard let header else { return try await set.prefetch() }
        if try await set.keys(for: header).knows(header) || !searchesAgain { return }
        _ = try await set.keys(for: header)
      }
    } catch {
      throw UsageProblem("\(error) [\(error.codeText)]")
    }
    guard let held = set.held else { throw UsageProblem("no keys are held") }
    return held
  }
}
