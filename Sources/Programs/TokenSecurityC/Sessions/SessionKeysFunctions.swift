internal import CognitoIdentityClient
internal import TokenLifetime

// Requests with the credentials of sessions, whose secrets the verifier does not have.

/// Makes the keys of sessions of an identity-service, for an API that verifies requests with temporary credentials. The keys are
/// asked for with the function of ts_session_keys_set_fetch when they are needed, and kept.
///
/// - Parameters:
///   - endpoint: the address of the service: `https://HOST` or `https://HOST:PORT`; http for 127.0.0.1, [::1] and localhost.
///   - region: the region of the service.
///   - accessKeyID: the API's own access key, made with `identity-service key create --api`.
///   - secret: its secret. Copied and wiped.
///   - secretLength: its bytes.
///   - sessionToken: the session token, if these credentials are temporary; NULL or an empty text for none.
///   - capacity: the most keys that are kept, about two kilobytes each; 0 for 10,000.
///   - timeoutMilliseconds: the time of a call for its question to the service, or for waiting for that of another thread, in
///     milliseconds: at most 60,000; 0 for 10,000.
///   - trustRoots: a file of certificates in PEM, for ts_fetch_trust_roots; NULL for those of the machine. It is read once, to
///     check it.
///   - keys: receives the keys, which the caller owns.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error: `client_configuration_invalid` for an endpoint or a region that cannot be used.
@c(ts_session_keys_create)
public func sessionKeysCreate(
  _ endpoint: UnsafePointer<CChar>?, _ region: UnsafePointer<CChar>?, _ accessKeyID: UnsafePointer<CChar>?,
  _ secret: UnsafePointer<UInt8>?, _ secretLength: UInt, _ sessionToken: UnsafePointer<CChar>?,
  _ capacity: UInt, _ timeoutMilliseconds: UInt32, _ trustRoots: UnsafePointer<CChar>?,
  _ keys: UnsafeMutablePointer<SessionKeysHandle?>?, _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let output = try unsafe result(keys, "keys")
    let address = try unsafe Arguments.text(endpoint, "endpoint")
    let service = try IdentityEndpoint(address: address, region: unsafe Arguments.text(region, "region"))
    let own = try unsafe credentials(accessKeyID, secret, secretLength, sessionToken)
    unsafe output.pointee = Handle.make(
      try SessionKeysObject(
        service, own, capacity: capacity, milliseconds: timeoutMilliseconds,
        trustRoots: unsafe Arguments.optionalText(trustRoots, "trust_roots")))
  }
}

/// Sets the function that asks for keys of sessions: with POST (ts_fetch_method) and a body (ts_fetch_body). The library calls it
/// on threads that call ts_request_verifier_verify_session with these keys, before that returns: one thread at a time for a
/// session, several for several sessions. Otherwise it is a function as for ts_verifier_set_fetch. A call from within it
/// that needs the answer to the same question is refused with `fetch_reentered`.
///
/// - Parameters:
///   - keys: the keys.
///   - function: the function; NULL for none. It gets `context` and the fetch. It returns TS_FETCH_DONE for a response with any
///     status, TS_FETCH_FAILED if there is none (the call fails with `endpoint_unreachable`), or TS_FETCH_CANCELLED to give up
///     (the call fails with `fetch_cancelled`; of those that wait for the answer, one asks).
///   - context: passed to the function. The caller owns it, and keeps it until the keys are freed.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error.
@c(ts_session_keys_set_fetch)
public func sessionKeysSetFetch(
  _ keys: SessionKeysHandle?, _ function: FetchFunction?, _ context: UnsafeMutableRawPointer?,
  _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let object = try unsafe Handle.object(keys, "keys", as: SessionKeysObject.self)
    unsafe object.slot.set(function, context)
  }
}

/// Frees keys of sessions. Nothing happens for NULL and for a handle of another kind.
///
/// - Parameter keys: the keys, which the caller owns. No other thread may use them any more.
@c(ts_session_keys_free)
public func sessionKeysFree(_ keys: SessionKeysHandle?) {
  unsafe Handle.free(keys, as: SessionKeysObject.self)
}

/// Verifies a request that is signed with temporary credentials: its signature, its body, and its session. Any number of threads
/// may call it. With an answer that is kept it never waits; otherwise this thread asks the service, or waits for the thread
/// that asks the same.
///
/// - Parameters:
///   - verifier: the verifier. Its service and region are those that callers sign for; the API's access key is of this service.
///   - keys: the keys of sessions.
///   - request: the request as it was received.
///   - address: the client's address, such as `203.0.113.7`, for the condition key aws:SourceIp, and so that one client cannot make
///     all questions; NULL if it is unknown.
///   - now: the current time in seconds since 1970; TS_NOW for the clock's.
///   - session: receives the session, which the caller owns.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0 for a valid request, or 1 for an error: the first rule that the request breaks; `session_refused`,
///   `session_keys_busy`; why the service gave no answer, such as `endpoint_unreachable`, `service_refused_call`,
///   `answer_malformed`; `fetch_function_missing`, `fetch_cancelled`, `fetch_reentered`, `timed_out`.
@c(ts_request_verifier_verify_session)
public func requestVerifierVerifySession(
  _ verifier: RequestVerifierHandle?, _ keys: SessionKeysHandle?, _ request: RequestHandle?,
  _ address: UnsafePointer<CChar>?, _ now: Int64, _ session: UnsafeMutablePointer<SessionHandle?>?,
  _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let output = try unsafe result(session, "session")
    let object = try unsafe Handle.object(verifier, "verifier", as: RequestVerifierObject.self)
    let keys = try unsafe Handle.object(keys, "keys", as: SessionKeysObject.self)
    let request = try unsafe Handle.object(request, "request", as: RequestObject.self)
    let verified = try keys.verify(
      request, object.verifier, from: unsafe Arguments.optionalText(address, "address"),
      at: Instants.date(now))
    unsafe output.pointee = Handle.make(SessionObject(verified))
  }
}
