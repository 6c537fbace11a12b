internal import TokenSecurityEncodings
internal import JOSE
internal import OpenIDConnect
internal import Synchronization

/// What was fetched, kept in a folder from one run to the next.
///
/// It is between the key set and the network. Entries that are still fresh it returns itself; others it requests with
/// their `ETag`. What is requested twice in one run comes from the server: the token names a key that the entry lacks.
/// Only responses that the key set can use are kept, and entries that it cannot use are dropped.
final class KeysCache: HTTPTransport {
  private let folder: CacheFolder
  private let location: KeySetLocation
  private let trustRoots: String
  private let rules: RemoteKeySetConfiguration
  private let network: any HTTPTransport
  private let state: Mutex<State>

  private struct State {
    /// True where the server is asked whatever is kept.
    var asksAlways: Bool
    /// True where entries are not used at all, not even their tags.
    var isBypassed = false
    var requested: Set<ExactString> = []
    /// True where an entry was returned in this run.
    var hasServed = false
    /// What came in this run, to be written once the key set is there.
    var fetched: [CacheEntry] = []
  }

  /// A cache in a folder.
  ///
  /// - Parameters:
  ///   - folder: the folder's path.
  ///   - location: the key set that is fetched through this cache.
  ///   - trustRoots: the name of the roots that servers are verified with.
  ///   - rules: the rules of the key set.
  ///   - asksAlways: true to ask the server whatever is kept.
  ///   - network: what fetches.
  /// - Throws: `UsageProblem` where the folder is not one that only this user can change.
  init(
    folder: String, location: KeySetLocation, trustRoots: String, rules: RemoteKeySetConfiguration, asksAlways: Bool,
    network: any HTTPTransport
  ) throws {
    self.folder = try CacheFolder(folder)
    self.location = location
    self.trustRoots = trustRoots
    self.rules = rules
    self.network = network
    state = Mutex(State(asksAlways: asksAlways))
  }

  /// Whether entries were returned in this run. If they were and the key set could not be had, they may be why.
  var hasServed: Bool { state.withLock { $0.hasServed } }

  /// From now on asks the server for everything.
  func bypass() {
    state.withLock { state in
      state.isBypassed = true
      state.fetched = []
    }
  }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let key = CacheKey(address: request.url.description, trustRoots: trustRoots)
    let now = NumericDate.now.seconds
    let (isFirst, asksAlways, isBypassed) = state.withLock { state in
      (state.requested.insert(ExactString(key.address)).inserted, state.asksAlways, state.isBypassed)
    }
    let entry = isBypassed ? nil : usableEntry(key, request, at: now)
    if let entry, entry.isFresh(at: now) {
      // Made-up names cost at most one fetch in so many seconds, over many runs too.
      let isRecent = now - entry.storedAt < rules.coolDown.wholeSeconds
      if isRecent || isFirst && !asksAlways {
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
      key: key, storedAt: now, freshUntil: now + rules.life(control),
      tag: response.tag ?? (response.status == 304 ? entry?.tag : nil),
      contentType: response.headers["content-type"] ?? entry?.contentType, body: body)
    if location.accepts(fresh.response(at: now), from: request.url, rules) {
      state.withLock { $0.fetched.append(fresh) }
    }
    return fresh.response(at: now)
  }

  /// The entry, where the key set can use it. One that it cannot use is removed.
  private func usableEntry(_ key: CacheKey, _ request: TransportRequest, at now: Int64) -> CacheEntry? {
    let longestLife = rules.longestLife.wholeSeconds
    guard let entry = folder.read(key, limit: request.limits.responseSize, longestLife: longestLife) else {
      return nil
    }
    if location.accepts(entry.response(at: now), from: request.url, rules) { return entry }
    folder.remove(key)
    return nil
  }

  /// Writes what came in this run. It is called when the key set is there. A failure is reported, and is not a reason to
  /// refuse a token.
  func keep() {
    for entry in state.withLock({ $0.fetched }) {
      do { try folder.write(entry) } catch {
        StandardError.write("verify-token: note: fetched keys were not kept: \(error.message)\n")
      }
    }
  }
}
