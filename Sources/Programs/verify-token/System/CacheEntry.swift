internal import JOSE
internal import OpenIDConnect
internal import TokenSecurityBase

/// A cached response.
struct CacheEntry: Sendable {
  let key: CacheKey
  /// When it was received, in seconds since 1970.
  let storedAt: Int64
  /// When it must be revalidated, in seconds since 1970.
  let freshUntil: Int64
  let tag: String?
  let contentType: String?
  let body: [UInt8]

  /// False from `freshUntil` on, and for an entry from the future, whose age is unknown.
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

  /// Parses an entry. A tag that is not valid in a request is dropped.
  ///
  /// - Returns: nil for malformed JSON, an entry of another key, or a lifetime above `longestLife`.
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

/// The key of an entry: the URL, and the roots that the server's certificate was verified with.
struct CacheKey: Sendable {
  let address: String
  /// The SHA-256 of the file with the roots, or `system`.
  let trustRoots: String
}
