internal import ArgumentParser
internal import Encodings
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
    var rules = RemoteKeyRules()
    guard (1...300).contains(timeout.seconds) else {
      throw UsageProblem("--timeout is 1s to 5m, and \(timeout.seconds)s was given")
    }
    // The fetching process ends by itself in this time; waiting for it takes a little longer.
    rules.timeout = .seconds(timeout.seconds)
    rules.allowsPlainLoopback = plainLoopback
    let network = try FetchProcess(trustRoots: roots())
    let cache = try keysCache.map {
      try KeysCache(folder: $0, rules: rules, asksAlways: header == nil, behind: network)
    }
    let fetcher: any HTTPFetching = cache ?? network
    let set = RemoteKeySet(location, fetcher: fetcher, rules: rules)
    do {
      try Blocking.run { () async throws(OpenIDError) in
        guard let header else { return try await set.prefetch() }
        // What was kept may lack a key that the server has by now: the second call searches for it.
        if try await set.keys(for: header).knows(header) || cache == nil { return }
        _ = try await set.keys(for: header)
      }
    } catch {
      throw UsageProblem("\(error) [\(error.codeName)]")
    }
    // Only what keys have come out of is kept.
    cache?.keep()
    guard let held = set.held else { throw UsageProblem("no keys are held") }
    return held
  }

  private func roots() throws -> String? {
    guard let caFile else { return nil }
    let contents = try InputFile.read(caFile)
    guard (try? KeyFile.pem(contents))?.certificates.isEmpty == false else {
      throw UsageProblem("\(caFile) has no certificate to begin with")
    }
    return caFile
  }
}
