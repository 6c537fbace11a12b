internal import Encodings
internal import JOSE
internal import OpenIDConnect
internal import Synchronization

/// What was fetched, kept in a folder from one run to the next.
///
/// It stands between the key set and the network. What it has and what is still fresh it answers itself; what is
/// not, it asks for with the answer's `ETag`. Asked twice for the same in one run, it asks the server: the
/// token names a key that was not in what it had.
final class KeysCache: HTTPFetching {
  private let folder: CacheFolder
  private let rules: RemoteKeyRules
  private let network: any HTTPFetching
  private let asksAlways: Bool
  private let state = Mutex(State())

  private struct State {
    var answered: Set<String> = []
    /// What came in this run, to be written once it has proved good.
    var fetched: [CacheEntry] = []
  }

  /// A cache in `folder`. Throws `UsageProblem` where the folder is not one that only this user can change.
  init(folder: String, rules: RemoteKeyRules, asksAlways: Bool, behind network: any HTTPFetching) throws {
    self.folder = try CacheFolder(folder)
    self.rules = rules
    self.network = network
    self.asksAlways = asksAlways
  }

  func fetch(_ request: FetchRequest) async throws(FetchFault) -> FetchResponse {
    let address = request.address.description
    let isFirst = state.withLock { $0.answered.insert(address).inserted }
    let now = NumericDate.now.seconds
    let entry = folder.read(address, limit: request.sizeLimit, longestLife: rules.longestLife)
    if let entry, entry.isFresh(at: now) {
      // Names that nobody has cost at most one fetch in so many seconds, over many runs too.
      let isRecent = now - entry.storedAt < rules.coolDown
      if isRecent || isFirst && !asksAlways { return entry.response(at: now) }
    }
    var fields = request.fields
    fields["If-None-Match"] = entry?.tag
    let answer = try await network.fetch(
      FetchRequest(
        address: request.address, fields: fields, sizeLimit: request.sizeLimit, timeout: request.timeout))
    let control = CacheControl(cacheControl: answer["cache-control"], age: answer["age"])
    let body: [UInt8]
    switch (answer.status, entry) {
    case (200, _): body = answer.body
    case (304, let entry?): body = entry.body
    default: return answer
    }
    let fresh = CacheEntry(
      address: address, storedAt: now, freshUntil: now + rules.life(control),
      tag: answer["etag"] ?? entry?.tag,
      contentType: answer["content-type"] ?? entry?.contentType, body: body)
    state.withLock { $0.fetched.append(fresh) }
    return fresh.response(at: now)
  }

  /// Writes what came. That it cannot be written is told, and is no reason to refuse a token.
  func keep() {
    for entry in state.withLock({ $0.fetched }) {
      do { try folder.write(entry) } catch {
        StandardError.write("verify-token: note: fetched keys were not kept: \(error.message)\n")
      }
    }
  }
}

/// One answer as it is kept.
struct CacheEntry: Sendable {
  let address: String
  /// When it came, in seconds since 1970.
  let storedAt: Int64
  /// Until when it may be used without asking, in seconds since 1970.
  let freshUntil: Int64
  let tag: String?
  let contentType: String?
  let body: [UInt8]

  /// True within its time. What seems to come from the future is of no known age.
  func isFresh(at now: Int64) -> Bool { storedAt <= now && now < freshUntil }

  func response(at now: Int64) -> FetchResponse {
    var fields = [(name: "Cache-Control", value: "max-age=\(max(0, freshUntil - now))")]
    if let contentType { fields.append((name: "Content-Type", value: contentType)) }
    return FetchResponse(status: 200, fields: fields, body: body)
  }

  var json: [UInt8] {
    var object = JSONObject()
    object["address"] = .string(address)
    object["stored_at"] = .number(JSONNumber(storedAt))
    object["fresh_until"] = .number(JSONNumber(freshUntil))
    object["etag"] = tag.map(JSONValue.string)
    object["content_type"] = contentType.map(JSONValue.string)
    object["body"] = .string(Base64.string(body))
    return JSONWriter.write(object)
  }

  init(
    address: String, storedAt: Int64, freshUntil: Int64, tag: String?, contentType: String?, body: [UInt8]
  ) {
    self.address = address
    self.storedAt = storedAt
    self.freshUntil = freshUntil
    self.tag = tag
    self.contentType = contentType
    self.body = body
  }

  /// Reads an entry; nil where it is none, of another address, or claims a longer life than any has.
  init?(_ json: [UInt8], address: String, longestLife: Int64) {
    guard let object = (try? JSONValue(parsing: json))?.object, object["address"]?.string == address,
      let storedAt = object["stored_at"]?.number?.int64, let until = object["fresh_until"]?.number?.int64,
      storedAt > 0, until >= storedAt, until - storedAt <= longestLife,
      let body = object["body"]?.string.flatMap({ try? Base64.decode($0) })
    else { return nil }
    self.init(
      address: address, storedAt: storedAt, freshUntil: until, tag: object["etag"]?.string,
      contentType: object["content_type"]?.string, body: body)
  }
}
