internal import SigV4
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

// Verifying requests with AWS Signature Version 4.

/// Makes a verifier of requests. It accepts signatures in headers over the whole body, not older or newer than 15 minutes,
/// and each of these signatures once.
///
/// - Parameters:
///   - service: the service that the scope must name.
///   - region: the region that the scope must name.
///   - host: the name that the header field `Host` must have; NULL for any, for instance behind a proxy that checks it.
///   - acceptsPresigned: 1 to accept presigned URLs too; otherwise 0. They cover the body; those of Amazon S3
///     only if they have its hash, or sign a header with its checksum. A presigned URL is accepted until it
///     expires, also more than once.
///   - verifier: receives the verifier, which the caller owns.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error.
@c(ts_request_verifier_create)
public func requestVerifierCreate(
  _ service: UnsafePointer<CChar>?, _ region: UnsafePointer<CChar>?, _ host: UnsafePointer<CChar>?,
  _ acceptsPresigned: Int32, _ verifier: UnsafeMutablePointer<RequestVerifierHandle?>?,
  _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let output = try unsafe result(verifier, "verifier")
    let options: RequestOptions = acceptsPresigned != 0 ? [.once, .presigned] : .once
    unsafe output.pointee = try unsafe requestVerifier(service, region, host, options)
  }
}

/// Makes a verifier of requests with options. It accepts signatures in headers over the whole body, not older or newer than
/// 15 minutes. Without TS_REQUESTS_ONCE it accepts a signature again while it is valid: clients repeat a request in the
/// second of its signature, on purpose and when they try again.
///
/// - Parameters:
///   - service: the service that the scope must name.
///   - region: the region that the scope must name.
///   - host: the name that the header field `Host` must have; NULL for any, for instance behind a proxy that checks it.
///   - options: the sum of TS_REQUESTS_PRESIGNED, to accept presigned URLs too (see `ts_request_verifier_create`);
///     TS_REQUESTS_ONCE, to accept each signature in headers once; TS_REQUESTS_PLUS_AS_SPACE, to read `+` in a query as a
///     space, as in HTML forms, which your service must do, too; or 0.
///   - verifier: receives the verifier, which the caller owns.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error: `argument_out_of_range` for an unknown option.
@c(ts_request_verifier_create_with_options)
public func requestVerifierCreateWithOptions(
  _ service: UnsafePointer<CChar>?, _ region: UnsafePointer<CChar>?, _ host: UnsafePointer<CChar>?,
  _ options: Int32, _ verifier: UnsafeMutablePointer<RequestVerifierHandle?>?,
  _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let output = try unsafe result(verifier, "verifier")
    let options = try RequestOptions(checking: options)
    unsafe output.pointee = try unsafe requestVerifier(service, region, host, options)
  }
}

/// The options of a verifier of requests.
private struct RequestOptions: OptionSet {
  let rawValue: Int32
  static let presigned = RequestOptions(rawValue: 1)
  static let once = RequestOptions(rawValue: 2)
  static let plusAsSpace = RequestOptions(rawValue: 4)

  init(rawValue: Int32) { self.rawValue = rawValue }

  init(checking value: Int32) throws {
    guard (0...7).contains(value) else {
      throw CallError.argumentOutOfRange("options", rule: "is \(value), which is no sum of options")
    }
    self.init(rawValue: value)
  }
}

private func requestVerifier(
  _ service: UnsafePointer<CChar>?, _ region: UnsafePointer<CChar>?, _ host: UnsafePointer<CChar>?,
  _ options: RequestOptions
) throws -> RequestVerifierHandle {
  let hosts: VerifierPolicy.HostRule =
    if let host = try unsafe Arguments.optionalText(host, "host") {
      .oneOf([host])
    } else {
      .unchecked(because: "the caller checks the host")
    }
  var policy = VerifierPolicy(
    service: try unsafe Arguments.text(service, "service"),
    region: try unsafe Arguments.text(region, "region"),
    hosts: hosts)
  policy.payloads = [.hash]
  if options.contains(.presigned) {
    policy.placements.insert(.query)
    // Only there a URL without a hash leaves the body out.
    if policy.form == .s3 { policy.payloads.insert(.nothing) }
  }
  if options.contains(.plusAsSpace) { policy.plusInQuery = .space }
  let replays = options.contains(.once) ? ReplayCache() : nil
  return unsafe Handle.make(RequestVerifierObject(try RequestVerifier(policy: policy, replays: replays)))
}

/// Reads the access key of a signed request, so that you can look up its secret. The signature is not verified yet.
///
/// - Parameters:
///   - verifier: the verifier.
///   - request: the request as it was received.
///   - now: the current time in seconds since 1970; TS_NOW for the clock's.
///   - accessKeyID: receives the access key, which the caller owns.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error: the first rule that the request breaks.
@c(ts_request_verifier_access_key)
public func requestVerifierAccessKey(
  _ verifier: RequestVerifierHandle?, _ request: RequestHandle?, _ now: Int64,
  _ accessKeyID: UnsafeMutablePointer<BufferHandle?>?, _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let output = try unsafe result(accessKeyID, "access_key_id")
    let object = try unsafe Handle.object(verifier, "verifier", as: RequestVerifierObject.self)
    let request = try unsafe Handle.object(request, "request", as: RequestObject.self)
    let pending = try object.verifier.parse(request.head, at: Instants.date(now))
    unsafe output.pointee = Handle.make(BufferObject(pending.parameters.accessKeyID))
  }
}

/// Verifies a signed request and its body.
///
/// - Parameters:
///   - verifier: the verifier.
///   - request: the request as it was received.
///   - secret: the secret access key of the request's access key. Copied and wiped. NULL for an access key that does not
///     exist: the request is refused, in the time that a wrong signature takes.
///   - secretLength: its bytes.
///   - sessionToken: the session token that belongs to the access key; NULL if it has none.
///   - now: the current time in seconds since 1970; TS_NOW for the clock's.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0 for a valid request, or 1 for an error: the first rule that the request breaks.
@c(ts_request_verifier_verify)
public func requestVerifierVerify(
  _ verifier: RequestVerifierHandle?, _ request: RequestHandle?, _ secret: UnsafePointer<UInt8>?,
  _ secretLength: UInt, _ sessionToken: UnsafePointer<CChar>?, _ now: Int64,
  _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let object = try unsafe Handle.object(verifier, "verifier", as: RequestVerifierObject.self)
    let request = try unsafe Handle.object(request, "request", as: RequestObject.self)
    let verifier = object.verifier
    let pending = try verifier.parse(request.head, at: Instants.date(now))
    var key: VerificationKey?
    if unsafe secret != nil {
      let credentials = try Credentials(
        accessKeyID: pending.parameters.accessKeyID,
        secretAccessKey: unsafe Arguments.secret(secret, secretLength, "secret"),
        sessionToken: unsafe Arguments.optionalText(sessionToken, "session_token"))
      key = .credentials(credentials)
    }
    do throws(SigV4Error) {
      _ = try verifier.verify(pending, key: key, body: request.body)
    } catch {
      // A presigned URL of Amazon S3 without a hash covers a checksum of the body, or nothing of it.
      guard case .payloadNotBound = error, pending.parameters.placement == .query else { throw error }
      try verifyUnhashed(request.body, of: pending, key, verifier)
    }
  }
}

private func verifyUnhashed(
  _ body: [UInt8], of pending: PendingRequest, _ key: VerificationKey?, _ verifier: RequestVerifier
) throws(SigV4Error) {
  do throws(SigV4Error) {
    var reader = try verifier.verifyBody(pending, key: key, release: .immediately)
    _ = try reader.read(body)
    _ = try reader.finish()
  } catch {
    guard case .payloadNotBound = error else { throw error }
    _ = try verifier.verifyLeavingBodyUnchecked(pending, key: key, because: "a presigned URL")
  }
}

/// Frees a verifier of requests. Nothing happens for NULL and for a handle of another kind.
///
/// - Parameter verifier: the verifier, which the caller owns.
@c(ts_request_verifier_free)
public func requestVerifierFree(_ verifier: RequestVerifierHandle?) {
  unsafe Handle.free(verifier, as: RequestVerifierObject.self)
}
