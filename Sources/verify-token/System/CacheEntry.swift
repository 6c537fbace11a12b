internal import TokenSecurityEncodings
internal import JOSE
internal import OpenIDConnect

/// One response as it is kept.
struct CacheEntry: Sendable {
  let key: CacheKey
  /// When it came, in seconds since 1970.
  let storedAt: Int64
  /// Until when it may be used without asking, in seconds since 1970.
  let freshUntil: Int64
  let tag: String?
  let contentType: String?
  let body: [UInt8]

  /// True within its time. The age of what seems to come from the future is not known.
  func isFresh(at now: Int64) -> Bool { storedAt <= now && now < freshUntil }

  func response(at now: Int64) -> TransportResponse {
    var headers: TransportHeaders = ["Cache-Control": "max-age=\(max(0, freshUntil - now))"]
    headers["Content-Type"] = contentType
    return TransportResponse(status: 200, headers: headers, body: body)
  }

  var json: [UInt8] {
    var object = JSONObject()
    object["address"] = .string(key.address)
    object["trust_roots"] = .string(key.trustRoots)
    object["stored_at"] = .number(JSONNumber(storedAt))
    object["fresh_until"] = .number(JSONNumber(freshUntil))
    object["etag"] = tag.map(JSONValue.string)
    object["content_type"] = contentType.map(JSONValue.string)
    object["body"] = .string(Base64.string(body))
    return JSONWriter.write(object)
  }

  init(key: CacheKey, storedAt: Int64, freshUntil: Int64, tag: String?, contentType: String?, body: [UInt8]) {
    self.key = key
    self.storedAt = storedAt
    self.freshUntil = freshUntil
    self.tag = tag
    self.contentType = contentType
    self.body = body
  }

  /// Reads an entry.
  ///
  /// - Returns: nil where `json` is no entry, is one of another key, or claims a longer life than any has. A tag that
  ///   could not be sent back is left out.
  init?(_ json: [UInt8], key: CacheKey, longestLife: Int64) {
    guard let object = (try? JSONValue(parsing: json))?.object, object["address"]?.string == key.address,
      object["trust_roots"]?.string == key.trustRoots,
      let storedAt = object["stored_at"]?.number?.int64, let until = object["fresh_until"]?.number?.int64,
      storedAt > 0, until >= storedAt, until - storedAt <= longestLife,
      let body = object["body"]?.string.flatMap({ try? Base64.decode($0) })
    else { return nil }
    self.init(
      key: key, storedAt: storedAt, freshUntil: until,
      tag: object["etag"]?.string.flatMap { TransportResponse.isTag($0) ? $0 : nil },
      contentType: object["content_type"]?.string, body: body)
  }
}

/// What an entry is found by: the address, and the certificates that its server was verified with. What was fetched under
/// other roots is not used.
struct CacheKey: Sendable {
  let address: String
  /// The SHA-256 of the file with the certificates, or `system`.
  let trustRoots: String
}
