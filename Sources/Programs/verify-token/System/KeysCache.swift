internal import JOSE
internal import OpenIDConnect
internal import Synchronization
internal import TokenSecurityBase

/// A transport that caches responses in a folder between runs.
///
/// It returns fresh entries and revalidates others with their `ETag`. A URL that is requested twice in one
/// run is fetched from the server: the cached set lacks the token's key. Only responses that the key set
/// accepts are cached.
final class KeysCache: HTTPTransport {
  private let folder: CacheFolder
  private let location: KeySetLocation
  private let trustRoots: String
  private let configuration: RemoteKeySetConfiguration
  private let network: any HTTPTransport
  private let state: Mutex<State>

  private struct State {
    /// True if fresh entries are revalidated, too.
    var alwaysFetches: Bool
    /// True if entries are not used at all, not even their tags.
    var isBypassed = false
    var requested: Set<ExactString> = []
    /// True if an entry was returned in this run.
    var hasServed = false
    /// The responses of this run, which `save()` writes.
    var fetched: [CacheEntry] = []
  }

  /// Opens the cache in a folder.
  ///
  /// - Parameters:
  ///   - folder: the folder's path.
  ///   - location: the key set that is fetched through this cache.
  ///   - trustRoots: the name of the trust roots.
  ///   - configuration: the configuration of the key set.
  ///   - alwaysFetches: true to revalidate fresh entries, too.
  ///   - network: the transport to the server.
  /// - Throws: `UsageError` for a folder that other users can write to.
  init(
    folder: String, location: KeySetLocation, trustRoots: String, configuration: RemoteKeySetConfiguration,
    alwaysFetches: Bool, network: any HTTPTransport
  ) throws {
    self.folder = try CacheFolder(folder)
    self.location = location
    self.trustRoots = trustRoots
    self.configuration = configuration
    self.network = network
    state = Mutex(State(alwaysFetches: alwaysFetches))
  }

  /// True if entries were returned in this run. They may be the reason why the key set could not be loaded.
  var hasServed: Bool { state.withLock { $0.hasServed } }

  /// Ignores all entries from now on.
  func bypass() {
    state.withLock { state in
      state.isBypassed = true
      state.fetched = []
    }
  }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let key = CacheKey(address: request.url.description, trustRoots: trustRoots)
    let now = NumericDate.now.seconds
    let (isFirst, alwaysFetches, isBypassed) = state.withLock { state in
      (state.requested.insert(ExactString(key.address)).inserted, state.alwaysFetches, state.isBypassed)
    }
    let entry = isBypassed ? nil : usableEntry(key, request, at: now)
    if let entry, entry.isFresh(at: now) {
      // Tokens with made-up key ids cause at most one fetch per cool-down time, also across runs.
      let isRecent = now - entry.storedAt < configuration.coolDown.wholeSeconds
      if isRecent || isFirst && !alwaysFetches {
        state.withLock { $0.hasServed = true }
        return entry.response(at: now)
      }
    }
    var request = request
    request.headers["If-None-Match"] = entry?.tag
    let response = try await network.send(request)
    let body: [UInt8]
    switch (response.status, entry) {
    case (200, _): body = response.body
    case (304, let entry?) where entry.tag != nil: body = entry.body
    default: return response
    }
    let control = CacheControl(cacheControl: response.headers["cache-control"], age: response.headers["age"])
    let fresh = CacheEntry(
      key: key, storedAt: now, freshUntil: now + configuration.lifetime(control),
      tag: response.tag ?? (response.status == 304 ? entry?.tag : nil),
      contentType: response.headers["content-type"] ?? entry?.contentType, body: body)
    if location.accepts(fresh.response(at: now), from: request.url, configuration) {
      state.withLock { $0.fetched.append(fresh) }
    }
    return fresh.response(at: now)
  }

  /// The entry, if the key set accepts it. Other entries are removed.
  private func usableEntry(_ key: CacheKey, _ request: TransportRequest, at now: Int64) -> CacheEntry? {
    let longestLife = configuration.longestLifetime.wholeSeconds
    guard let entry = folder.read(key, limit: request.limits.responseSize, longestLife: longestLife) else {
      return nil
    }
    if location.accepts(entry.response(at: now), from: request.url, configuration) { return entry }
    folder.remove(key)
    return nil
  }

  /// Writes the responses of this run, after the key set was loaded. A failure is reported and does not
  /// affect the result.
  func save() {
    for entry in state.withLock({ $0.fetched }) {
      do { try folder.write(entry) } catch {
        StandardError.write("verify-token: note: the fetched keys were not cached: \(error.message)\n")
      }
    }
  }
}
