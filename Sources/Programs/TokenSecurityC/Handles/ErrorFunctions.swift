internal import TokenSecurityPlatform

// Errors, buffers, versions.

/// The version of the library, for instance `0.2.0`.
///
/// - Returns: a text that lives as long as the process.
@c(ts_version)
public func version() -> UnsafePointer<CChar>? { unsafe give(Versions.library, nil) }

/// The version of this interface. It rises when a function is added; functions are never changed or removed.
///
/// - Returns: the version.
@c(ts_abi_version)
public func abiVersion() -> UInt32 { Versions.interface }

enum Versions {
  static let library = CText(ProgramVersion.current)
  static let interface: UInt32 = 4
}

/// The stable code of an error, for instance `token_expired`. The page of error codes lists them.
///
/// - Parameter error: the error.
/// - Returns: a text that belongs to the error. NULL for NULL.
@c(ts_error_code)
public func errorCode(_ error: ErrorHandle?) -> UnsafePointer<CChar>? {
  unsafe give(try? unsafe Handle.object(error, "error", as: ErrorObject.self).code)
}

/// One sentence that names the rule and the value that broke it. It never contains a secret.
///
/// - Parameter error: the error.
/// - Returns: a text that belongs to the error. NULL for NULL.
@c(ts_error_message)
public func errorMessage(_ error: ErrorHandle?) -> UnsafePointer<CChar>? {
  unsafe give(try? unsafe Handle.object(error, "error", as: ErrorObject.self).message)
}

/// The values of an error as one JSON object with texts, for instance `{"at":"2026-09-05T09:53:07Z"}`. Its members
/// depend on the code and may change. Several threads may call this.
///
/// - Parameter error: the error.
/// - Returns: a text that belongs to the error. NULL for NULL.
@c(ts_error_evidence)
public func errorEvidence(_ error: ErrorHandle?) -> UnsafePointer<CChar>? {
  unsafe give(try? unsafe Handle.object(error, "error", as: ErrorObject.self).evidence.text)
}

/// The HTTP status of the response to the sender of a request that was refused with this error: 400, 403, 413, 500 or 503.
/// Errors of ts_request_verifier_verify, ts_request_verifier_verify_session and ts_session_check have one, and those of
/// a request that cannot be built as it was received: a text that is not UTF-8, too many header fields.
///
/// - Parameter error: the error.
/// - Returns: the status. 0 for an error that is none of a request, such as a missing argument, and for NULL.
@c(ts_error_http_status)
public func errorHTTPStatus(_ error: ErrorHandle?) -> Int32 {
  (try? unsafe Handle.object(error, "error", as: ErrorObject.self).status) ?? 0
}

/// Frees an error. Nothing happens for NULL and for a handle of another kind.
///
/// - Parameter error: the error, which the caller owns.
@c(ts_error_free)
public func errorFree(_ error: ErrorHandle?) { unsafe Handle.free(error, as: ErrorObject.self) }

/// The bytes of a buffer. A zero byte follows them, so that a text can be read as a C string.
///
/// - Parameter buffer: the buffer.
/// - Returns: bytes that belong to the buffer. NULL for NULL.
@c(ts_buffer_bytes)
public func bufferBytes(_ buffer: BufferHandle?) -> UnsafePointer<UInt8>? {
  guard let object = try? unsafe Handle.object(buffer, "buffer", as: BufferObject.self) else { return nil }
  return unsafe object.start
}

/// The number of bytes of a buffer, without the zero byte after them.
///
/// - Parameter buffer: the buffer.
/// - Returns: the number of bytes. 0 for NULL.
@c(ts_buffer_length)
public func bufferLength(_ buffer: BufferHandle?) -> UInt {
  (try? unsafe Handle.object(buffer, "buffer", as: BufferObject.self).count) ?? 0
}

/// Wipes and frees a buffer. Nothing happens for NULL and for a handle of another kind.
///
/// - Parameter buffer: the buffer, which the caller owns.
@c(ts_buffer_free)
public func bufferFree(_ buffer: BufferHandle?) { unsafe Handle.free(buffer, as: BufferObject.self) }

private func give(_ text: CText?) -> UnsafePointer<CChar>? {
  guard let text else { return nil }
  return unsafe text.start
}
