internal import SigV4
internal import TokenLifetime

// Signing requests with AWS Signature Version 4.

/// Signs a request in its headers: adds `Authorization`, `X-Amz-Date` and what else the signature needs. A signature that
/// it has is replaced. The request needs a header field `Host`.
///
/// - Parameters:
///   - request: the request.
///   - service: the service in the scope, for instance `execute-api`.
///   - region: the region in the scope.
///   - accessKeyID: the access key.
///   - secret: the secret access key. Copied and wiped.
///   - secretLength: its bytes.
///   - sessionToken: the session token of temporary credentials; NULL or an empty text for none.
///   - now: the date of the signature in seconds since 1970; TS_NOW for the current time.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error. The request is unchanged after an error.
@c(ts_request_sign)
public func requestSign(
  _ request: RequestHandle?, _ service: UnsafePointer<CChar>?, _ region: UnsafePointer<CChar>?,
  _ accessKeyID: UnsafePointer<CChar>?, _ secret: UnsafePointer<UInt8>?, _ secretLength: UInt,
  _ sessionToken: UnsafePointer<CChar>?, _ now: Int64, _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let object = try unsafe Handle.object(request, "request", as: RequestObject.self)
    let signer = try unsafe signer(service, region)
    let credentials = try unsafe credentials(accessKeyID, secret, secretLength, sessionToken)
    let signed = try signer.sign(
      object.head, body: .bytes(object.body), with: credentials, at: Instants.date(now))
    object.set(head: signed.head)
  }
}

/// Presigns a request: makes a URL that anyone who has it can send until it expires. For S3 it is for any body, for other
/// services for a request without one. With a header field X-Amz-Content-Sha256 it is for the body with that hash; whoever
/// sends the request sends the field, too.
///
/// - Parameters:
///   - request: the request. It is not changed, and needs a header field `Host`.
///   - service: the service in the scope, for instance `s3`.
///   - region: the region in the scope.
///   - accessKeyID: the access key.
///   - secret: the secret access key. Copied and wiped.
///   - secretLength: its bytes.
///   - sessionToken: the session token of temporary credentials; NULL or an empty text for none.
///   - lifetime: how long the URL is valid, 1 to 604,800 seconds (seven days).
///   - now: when the URL begins to be valid, in seconds since 1970; TS_NOW for the current time.
///   - url: receives the URL, which the caller owns.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error.
@c(ts_request_presign)
public func requestPresign(
  _ request: RequestHandle?, _ service: UnsafePointer<CChar>?, _ region: UnsafePointer<CChar>?,
  _ accessKeyID: UnsafePointer<CChar>?, _ secret: UnsafePointer<UInt8>?, _ secretLength: UInt,
  _ sessionToken: UnsafePointer<CChar>?, _ lifetime: Int64, _ now: Int64,
  _ url: UnsafeMutablePointer<BufferHandle?>?, _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let output = try unsafe result(url, "url")
    let object = try unsafe Handle.object(request, "request", as: RequestObject.self)
    let signer = try unsafe signer(service, region)
    let credentials = try unsafe credentials(accessKeyID, secret, secretLength, sessionToken)
    let signed = try signer.presign(
      object.head, expiresIn: .seconds(lifetime), body: .none, with: credentials, at: Instants.date(now))
    unsafe output.pointee = Handle.make(BufferObject(signed.url))
  }
}

private func signer(
  _ service: UnsafePointer<CChar>?, _ region: UnsafePointer<CChar>?
) throws -> Signer {
  try Signer(
    service: unsafe Arguments.text(service, "service"), region: unsafe Arguments.text(region, "region"))
}

/// Credentials of an access key.
func credentials(
  _ accessKeyID: UnsafePointer<CChar>?, _ secret: UnsafePointer<UInt8>?, _ secretLength: UInt,
  _ sessionToken: UnsafePointer<CChar>?
) throws -> Credentials {
  try Credentials(
    accessKeyID: unsafe Arguments.text(accessKeyID, "access_key_id"),
    secretAccessKey: unsafe Arguments.secret(secret, secretLength, "secret"),
    sessionToken: unsafe Arguments.optionalText(sessionToken, "session_token").flatMap {
      $0.isEmpty ? nil : $0
    })
}
