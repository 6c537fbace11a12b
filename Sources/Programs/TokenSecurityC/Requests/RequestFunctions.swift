internal import SigV4

// HTTP requests that are signed or verified.

/// Makes a request without header fields and body.
///
/// - Parameters:
///   - method: the method, for instance `GET`.
///   - target: the path and the query as they are sent, for instance `/a%20b?c=d`.
///   - request: receives the request, which the caller owns.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error.
@c(ts_request_create)
public func requestCreate(
  _ method: UnsafePointer<CChar>?, _ target: UnsafePointer<CChar>?,
  _ request: UnsafeMutablePointer<RequestHandle?>?, _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let output = try unsafe result(request, "request")
    let method = try unsafe Arguments.text(method, "method")
    let target = try unsafe Arguments.text(target, "target")
    unsafe output.pointee = Handle.make(RequestObject(RequestHead(method, target)))
  }
}

/// Adds a header field. Fields of one name can be added several times, at most 256 fields in all.
///
/// - Parameters:
///   - request: the request.
///   - name: the name.
///   - value: the value.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error.
@c(ts_request_add_header)
public func requestAddHeader(
  _ request: RequestHandle?, _ name: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?,
  _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let object = try unsafe Handle.object(request, "request", as: RequestObject.self)
    let name = try unsafe Arguments.text(name, "name")
    try object.add(HeaderField(name, try unsafe Arguments.text(value, "value")))
  }
}

/// Sets the body.
///
/// - Parameters:
///   - request: the request.
///   - body: the bytes, which are copied.
///   - bodyLength: their number, at most 16 MiB.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error.
@c(ts_request_set_body)
public func requestSetBody(
  _ request: RequestHandle?, _ body: UnsafePointer<UInt8>?, _ bodyLength: UInt,
  _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let object = try unsafe Handle.object(request, "request", as: RequestObject.self)
    object.set(body: try unsafe Arguments.bytes(body, bodyLength, "body"))
  }
}

/// Reads a header field, for instance after the request was signed.
///
/// - Parameters:
///   - request: the request.
///   - index: the index of the field, from 0 on.
///   - name: receives the name; NULL if it is not wanted. It belongs to the request, until the request changes.
///   - value: receives the value; NULL if it is not wanted. It belongs to the request, until the request changes.
/// - Returns: 1 if there is such a field, 0 beyond the last one.
@c(ts_request_header)
public func requestHeader(
  _ request: RequestHandle?, _ index: UInt, _ name: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
  _ value: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> Int32 {
  unsafe name?.pointee = nil
  unsafe value?.pointee = nil
  guard let object = try? unsafe Handle.object(request, "request", as: RequestObject.self),
    let field = object.field(index)
  else { return 0 }
  unsafe name?.pointee = field.name.start
  unsafe value?.pointee = field.value.start
  return 1
}

/// Frees a request. Nothing happens for NULL and for a handle of another kind.
///
/// - Parameter request: the request, which the caller owns.
@c(ts_request_free)
public func requestFree(_ request: RequestHandle?) { unsafe Handle.free(request, as: RequestObject.self) }
