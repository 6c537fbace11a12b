internal import OneTimeCodes
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

// Time-based one-time codes (RFC 6238).

/// Makes a random secret of 160 bits.
///
/// - Parameters:
///   - secret: receives the secret's bytes, which the caller owns.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error.
@c(ts_totp_secret)
public func totpSecret(
  _ secret: UnsafeMutablePointer<BufferHandle?>?, _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let output = try unsafe result(secret, "secret")
    unsafe output.pointee = Handle.make(BufferObject(try OTPSecret.random().bytes))
  }
}

/// Reads a secret in base32, in upper or lower case, with spaces and hyphens, with or without padding.
///
/// - Parameters:
///   - base32: the text. Copied and wiped.
///   - base32Length: its bytes.
///   - secret: receives the secret's bytes, which the caller owns.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error, also for a secret of less than 128 bits.
@c(ts_totp_secret_from_base32)
public func totpSecretFromBase32(
  _ base32: UnsafePointer<UInt8>?, _ base32Length: UInt, _ secret: UnsafeMutablePointer<BufferHandle?>?,
  _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let output = try unsafe result(secret, "secret")
    let text = try unsafe Arguments.secret(base32, base32Length, "base32")
    unsafe output.pointee = Handle.make(BufferObject(try OTPSecret(base32: text).bytes))
  }
}

/// The `otpauth` URI of a secret, for an authenticator app. It contains the secret.
///
/// - Parameters:
///   - issuer: the name of the service, as the app shows it.
///   - account: the name of the user, as the app shows it.
///   - secret: the secret, 16 to 1,024 bytes. Copied and wiped.
///   - secretLength: its bytes.
///   - algorithm: `SHA1`, `SHA256` or `SHA512`; NULL for `SHA1`, which all apps have.
///   - digits: 6, 7 or 8; 0 for 6.
///   - period: seconds, 1 to 86,400; 0 for 30.
///   - uri: receives the URI, which the caller owns.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error.
@c(ts_totp_uri)
public func totpURI(
  _ issuer: UnsafePointer<CChar>?, _ account: UnsafePointer<CChar>?, _ secret: UnsafePointer<UInt8>?,
  _ secretLength: UInt, _ algorithm: UnsafePointer<CChar>?, _ digits: Int32, _ period: Int32,
  _ uri: UnsafeMutablePointer<BufferHandle?>?, _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let output = try unsafe result(uri, "uri")
    let secret = try unsafe otpSecret(secret, secretLength)
    let made = try OTPAuthURI(
      issuer: unsafe Arguments.text(issuer, "issuer"), account: unsafe Arguments.text(account, "account"),
      secret: secret, kind: .totp(period: .seconds(period == 0 ? 30 : Int64(period))),
      algorithm: unsafe otpAlgorithm(algorithm), digits: digits == 0 ? 6 : Int(digits))
    unsafe output.pointee = Handle.make(BufferObject(made.text()))
  }
}

/// The code of a time.
///
/// - Parameters:
///   - secret: the secret, 16 to 1,024 bytes. Copied and wiped.
///   - secretLength: its bytes.
///   - algorithm: `SHA1`, `SHA256` or `SHA512`; NULL for `SHA1`.
///   - digits: 6, 7 or 8; 0 for 6.
///   - period: seconds, 1 to 86,400; 0 for 30.
///   - now: the time in seconds since 1970; TS_NOW for the current time.
///   - code: receives the code, which the caller owns.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error.
@c(ts_totp_code)
public func totpCode(
  _ secret: UnsafePointer<UInt8>?, _ secretLength: UInt, _ algorithm: UnsafePointer<CChar>?, _ digits: Int32,
  _ period: Int32, _ now: Int64, _ code: UnsafeMutablePointer<BufferHandle?>?,
  _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    let output = try unsafe result(code, "code")
    let totp = try unsafe totp(secret, secretLength, algorithm, digits, period)
    unsafe output.pointee = Handle.make(BufferObject(try totp.code(at: Instants.date(now))))
  }
}

/// Checks a code. Codes one step before and after the current one are accepted, and those around the clock of a device
/// that drifts. Store `lastStep` and `drift` before the user is let in: the code is then refused the next time.
///
/// - Parameters:
///   - secret: the secret, 16 to 1,024 bytes. Copied and wiped.
///   - secretLength: its bytes.
///   - algorithm: `SHA1`, `SHA256` or `SHA512`; NULL for `SHA1`.
///   - digits: 6, 7 or 8; 0 for 6.
///   - period: seconds, 1 to 86,400; 0 for 30.
///   - code: the code that was typed.
///   - now: the time in seconds since 1970; TS_NOW for the current time.
///   - lastStep: the step of the last code that was accepted, or -1 for none; receives the step of this one.
///   - drift: the error of the device's clock in steps, 0 at first; receives the new one.
///   - error: receives the error, which the caller owns; NULL if it is not wanted.
/// - Returns: 0, or 1 for an error: `code_mismatch`, `code_used`, `code_malformed`. `lastStep` and `drift` are then
///   unchanged.
@c(ts_totp_verify)
public func totpVerify(
  _ secret: UnsafePointer<UInt8>?, _ secretLength: UInt, _ algorithm: UnsafePointer<CChar>?, _ digits: Int32,
  _ period: Int32, _ code: UnsafePointer<CChar>?, _ now: Int64, _ lastStep: UnsafeMutablePointer<Int64>?,
  _ drift: UnsafeMutablePointer<Int32>?, _ error: UnsafeMutablePointer<ErrorHandle?>?
) -> Int32 {
  unsafe call(error) {
    guard let step = unsafe lastStep else { throw CallError.argumentMissing("last_step") }
    guard let drift = unsafe drift else { throw CallError.argumentMissing("drift") }
    let totp = try unsafe totp(secret, secretLength, algorithm, digits, period)
    let state = unsafe TOTP.State(lastStep: UInt64(exactly: step.pointee), drift: Int(drift.pointee))
    let match = try totp.verify(
      unsafe Arguments.text(code, "code"), at: Instants.date(now), state: state)
    unsafe step.pointee = Int64(clamping: match.step)
    unsafe drift.pointee = Int32(clamping: match.state.drift)
  }
}

private func totp(
  _ secret: UnsafePointer<UInt8>?, _ length: UInt, _ algorithm: UnsafePointer<CChar>?, _ digits: Int32,
  _ period: Int32
) throws -> TOTP {
  let secret = try unsafe otpSecret(secret, length)
  return try TOTP(
    secret: secret, algorithm: unsafe otpAlgorithm(algorithm), digits: digits == 0 ? 6 : Int(digits),
    period: .seconds(period == 0 ? 30 : Int64(period)))
}

private func otpSecret(_ secret: UnsafePointer<UInt8>?, _ length: UInt) throws -> OTPSecret {
  try OTPSecret(unsafe Arguments.secret(secret, length, "secret"))
}

private func otpAlgorithm(_ name: UnsafePointer<CChar>?) throws(CallError) -> OTPAlgorithm {
  guard let name = try unsafe Arguments.optionalText(name, "algorithm") else { return .sha1 }
  guard let algorithm = OTPAlgorithm(name: name) else {
    let names = OTPAlgorithm.allCases.map(\.name)
    throw .argumentOutOfRange("algorithm", rule: "is \(name.quoted) and must be one of \(names.quotedList)")
  }
  return algorithm
}
