internal import HTTPExchange
internal import TokenSecurityPlatform

// Keys that the caller fetches.

/// Sets the function that fetches keys. The library calls it on threads that call ts_verifier_verify,
/// ts_verifier_verify_batch, ts_verifier_explain and ts_verifier_refresh of this verifier, before these return: one thread
/// at a time for a key set, several for several sets. It must return normally, and may block for ts_fetch_timeout_ms at most.
/// It may call the library, also with this verifier: a call that needs the very keys that it fetches is refused with
/// `fetch_reentered`.
///
/// - Parameters:
///   - verifier: the verifier.
///   - function: the function; NULL for none. It gets `context` and the fetch, which belongs to the library and lives until the
///     function returns. It returns TS_FETCH_DONE for a response, TS_FETCH_FAILED if there is none, or TS_FETCH_CANCELLED to
///     give up without a word about the server: nothing is noted about it then, the call fails with `fetch_cancelled` unless
///     expired keys may still be used, and calls it no more; the next call may fetch. Only searches for unknown keys that are
///     given up one soon after the other have pauses between them, of 1, 2, 4 … up to 10 seconds.
///   - context: passed to the function. The caller owns it, and keeps it until the verifier is freed.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error.
@c(ts_verifier_set_fetch)
public func verifierSetFetch(
  _ verifier: VerifierHandle?, _ function: FetchFunction?, _ context: UnsafeMutableRawPointer?,
  _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let object = try unsafe Handle.object(verifier, "verifier", as: VerifierObject.self)
    unsafe object.slot.set(function, context)
  }
}

/// Fetches the keys of all issuers that are missing, or due: in the last quarter of their lifetime. Call it when your service
/// starts, so that the first tokens need not wait, and then from a thread of yours, so that no token ever does.
///
/// - Parameters:
///   - verifier: the verifier.
///   - timeoutMilliseconds: maximum time for all sets together, in milliseconds; they are fetched one after the other.
///   - nextSeconds: receives the seconds until the next refresh is due, also after an error: at least 1; INT64_MAX if nothing
///     is fetched. NULL if it is not wanted.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error: that of the first fetch that has failed, also where older keys may still be used;
///   `timed_out`, `fetch_function_missing`, `fetch_cancelled`, `fetch_reentered`.
@c(ts_verifier_refresh)
public func verifierRefresh(
  _ verifier: VerifierHandle?, _ timeoutMilliseconds: UInt32, _ nextSeconds: UnsafeMutablePointer<Int64>?,
  _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe nextSeconds?.pointee = 0
  return unsafe call(error) {
    let object = try unsafe Handle.object(verifier, "verifier", as: VerifierObject.self)
    defer { unsafe nextSeconds?.pointee = max(1, object.secondsUntilRefresh) }
    try object.refresh(milliseconds: timeoutMilliseconds)
  }
}

/// The URL to fetch with the method of ts_fetch_method: https, or http to this machine where the policy allows it, or the
/// address of the service of sessions. Send no cookies and no credentials, follow no redirect, and verify the server's
/// certificate and name.
///
/// - Parameter fetch: the fetch.
/// - Returns: a text that belongs to the fetch. NULL for NULL.
@c(ts_fetch_url)
public func fetchURL(_ fetch: FetchHandle?) -> UnsafePointer<CChar>? {
  guard let object = try? unsafe Handle.object(fetch, "fetch", as: FetchObject.self) else { return nil }
  return unsafe object.url.start
}

/// The method of the request: GET, or POST for keys of sessions.
///
/// - Parameter fetch: the fetch.
/// - Returns: a text that belongs to the fetch. NULL for NULL.
@c(ts_fetch_method)
public func fetchMethod(_ fetch: FetchHandle?) -> UnsafePointer<CChar>? {
  guard let object = try? unsafe Handle.object(fetch, "fetch", as: FetchObject.self) else { return nil }
  return unsafe object.method.start
}

/// The body of the request, which may have a secret. Send it with its length (`Content-Length`).
///
/// - Parameters:
///   - fetch: the fetch.
///   - length: receives the number of bytes; NULL if it is not wanted.
/// - Returns: bytes that belong to the fetch. NULL for a request without a body, and for NULL.
@c(ts_fetch_body)
public func fetchBody(_ fetch: FetchHandle?, _ length: UnsafeMutablePointer<UInt>?) -> UnsafePointer<UInt8>? {
  unsafe length?.pointee = 0
  guard let object = try? unsafe Handle.object(fetch, "fetch", as: FetchObject.self), object.body.count > 0
  else { return nil }
  unsafe length?.pointee = object.body.count
  return unsafe object.body.start
}

/// Reads a header field that the request must have.
///
/// - Parameters:
///   - fetch: the fetch.
///   - index: the index of the field, from 0 on.
///   - name: receives the name; NULL if it is not wanted. It belongs to the fetch.
///   - value: receives the value; NULL if it is not wanted. It belongs to the fetch.
/// - Returns: 1 if there is such a field, 0 beyond the last one.
@c(ts_fetch_header)
public func fetchHeader(
  _ fetch: FetchHandle?, _ index: UInt, _ name: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  _ value: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> Int32 {
  unsafe name?.pointee = nil
  unsafe value?.pointee = nil
  guard let object = try? unsafe Handle.object(fetch, "fetch", as: FetchObject.self),
    index < UInt(object.headers.count)
  else { return 0 }
  let field = object.headers[Int(index)]
  unsafe name?.pointee = field.name.start
  unsafe value?.pointee = field.value.start
  return 1
}

/// Maximum number of bytes of the body of the response. Stop reading when there are more.
///
/// - Parameter fetch: the fetch.
/// - Returns: the number of bytes. 0 for NULL.
@c(ts_fetch_size_limit)
public func fetchSizeLimit(_ fetch: FetchHandle?) -> UInt {
  (try? unsafe Handle.object(fetch, "fetch", as: FetchObject.self)).map { UInt($0.sizeLimit) } ?? 0
}

/// The milliseconds that are left for connecting, sending, and reading to the last byte. A response that comes later is refused
/// with `fetch_timeout`.
///
/// - Parameter fetch: the fetch.
/// - Returns: the milliseconds from now on; 0 if the time is over, and for NULL. Do not fetch then: libcurl, for instance,
///   takes 0 for no limit.
@c(ts_fetch_timeout_ms)
public func fetchTimeout(_ fetch: FetchHandle?) -> UInt32 {
  (try? unsafe Handle.object(fetch, "fetch", as: FetchObject.self).millisecondsLeft) ?? 0
}

/// The file of certificates in PEM, `trust_roots` of the policy or of the keys of sessions, that alone may sign the server's.
///
/// - Parameter fetch: the fetch.
/// - Returns: a text that belongs to the fetch. NULL for the machine's certificates, and for NULL.
@c(ts_fetch_trust_roots)
public func fetchTrustRoots(_ fetch: FetchHandle?) -> UnsafePointer<CChar>? {
  guard let object = try? unsafe Handle.object(fetch, "fetch", as: FetchObject.self),
    let roots = object.trustRoots
  else { return nil }
  return unsafe roots.start
}

/// Sets the status of the response, which is needed for TS_FETCH_DONE.
///
/// - Parameters:
///   - fetch: the fetch.
///   - status: the status, 100 to 599. For keys of tokens the library refuses all but 200, and 304 where it has keys.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error.
@c(ts_fetch_set_status)
public func fetchSetStatus(
  _ fetch: FetchHandle?, _ status: Int32, _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let object = try unsafe Handle.object(fetch, "fetch", as: FetchObject.self)
    guard (100...599).contains(status) else {
      throw CallError.argumentOutOfRange("status", rule: "is \(status); 100 to 599 are allowed")
    }
    object.set(status: Int(status))
  }
}

/// Adds a header field of the response. The library reads Content-Type, Cache-Control, Age, ETag and Location, and
/// X-Amzn-ErrorType for keys of sessions.
///
/// - Parameters:
///   - fetch: the fetch.
///   - name: the name, which is not empty.
///   - value: the value.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error: `fetch_too_large` for more than 64 KiB in all, with 32 bytes for each field beside its
///   name and value, after which the response is refused.
@c(ts_fetch_add_header)
public func fetchAddHeader(
  _ fetch: FetchHandle?, _ name: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let object = try unsafe Handle.object(fetch, "fetch", as: FetchObject.self)
    let name = try unsafe Arguments.text(name, "name")
    guard !name.isEmpty else { throw CallError.argumentOutOfRange("name", rule: "is empty") }
    try object.add(header: name, unsafe Arguments.text(value, "value"))
  }
}

/// Adds bytes of the response's body.
///
/// - Parameters:
///   - fetch: the fetch.
///   - body: the bytes. Copied.
///   - bodyLength: their number.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error: `fetch_too_large` above ts_fetch_size_limit, after which the response is refused.
@c(ts_fetch_add_body)
public func fetchAddBody(
  _ fetch: FetchHandle?, _ body: UnsafePointer<UInt8>?, _ bodyLength: UInt,
  _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let object = try unsafe Handle.object(fetch, "fetch", as: FetchObject.self)
    try unsafe object.add(body: Arguments.borrowed(body, bodyLength, "body"))
  }
}

/// Says why there is no response, for TS_FETCH_FAILED. The call then fails with `fetch_connection` and this sentence, or with
/// `fetch_timeout` if the time is over.
///
/// - Parameters:
///   - fetch: the fetch.
///   - reason: a sentence without secrets, UTF-8. 200 bytes of it are used. If it is not UTF-8, its bytes are escaped.
@c(ts_fetch_fail)
public func fetchFail(_ fetch: FetchHandle?, _ reason: UnsafePointer<CChar>?) {
  guard let object = try? unsafe Handle.object(fetch, "fetch", as: FetchObject.self),
    let text = unsafe Arguments.visible(reason)
  else { return }
  object.fail(text)
}
