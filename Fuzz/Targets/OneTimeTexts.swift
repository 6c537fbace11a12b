internal import TokenSecurityCrypto
internal import OneTimeCodes

/// Secrets, URIs, codes and recovery codes: parsed values are written and parsed again.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  let text = String(decoding: bytes, as: UTF8.self)
  let secret = SecretBytes(bytes.span)
  let weak = OTPSecret.Strength.weakAccepted(because: "short inputs are found sooner")
  for form in [OTPSecret.Form.strict, .typed] {
    if let read = try? OTPSecret(base32: secret, form: form, strength: weak) {
      guard let again = try? OTPSecret(base32: read.base32(), strength: weak) else {
        fatalError("its own text is refused")
      }
      precondition(again.bytes.isEqual(to: read.bytes))
    }
  }
  // A URI that the strict form reads has no warnings in the other form.
  if (try? OTPAuthURI(secret, form: .strict, strength: weak)) != nil {
    precondition((try? OTPAuthURI(secret, strength: weak))?.warnings.isEmpty == true)
  }
  if let uri = try? OTPAuthURI(secret, strength: weak) {
    let written = try? OTPAuthURI(
      issuer: uri.issuer, account: uri.account, secret: uri.secret, kind: uri.kind, algorithm: uri.algorithm,
      digits: uri.digits)
    // An issuer with a colon can be parsed as a parameter, but not written.
    if let written {
      guard let again = try? OTPAuthURI(written.text(), strength: weak) else {
        fatalError("its own text is refused")
      }
      precondition(again.kind == uri.kind && again.issuer == uri.issuer && again.account == uri.account)
      precondition(again.secret.bytes.isEqual(to: uri.secret.bytes) && again.algorithm == uri.algorithm)
    }
    if let totp = try? uri.totp() { _ = try? totp.verify(text, at: Timestamp(since1970: .seconds(59))) }
  }
  let ones = [UInt8](repeating: 1, count: 32)
  if let example = try? OTPSecret(SecretBytes(ones.span)), let totp = try? TOTP(secret: example) {
    _ = try? totp.verify(text, at: Timestamp(since1970: .seconds(59)))
  }
  if var codes = try? RecoveryCodes(stored: [bytes]),
    let key = try? RecoveryCodes.Key(SecretBytes(ones.span))
  {
    _ = try? codes.redeem(text, user: "", key: key)
  }
  return 0
}
