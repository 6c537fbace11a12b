public import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// What a device is set up with: the URI that is shown as a QR code (`otpauth://totp/…`, the "Key URI Format" of Google
/// Authenticator, which all devices read).
public struct OTPAuthURI: ~Copyable, Sendable {
  /// Which codes it is for.
  public enum Kind: Sendable, Hashable {
    /// Time-based codes; how long each is shown.
    case totp(period: Duration)
    /// Codes of a counter; the first one.
    case hotp(counter: UInt64)
  }

  /// Which codes it is for.
  public let kind: Kind
  /// Who asks for the codes.
  public let issuer: String?
  /// Whose codes they are.
  public let account: String
  /// The secret.
  public let secret: OTPSecret
  /// The hash function.
  public let algorithm: OTPAlgorithm
  /// How many digits a code has.
  public let digits: Int

  /// The most that a URI may have, in bytes.
  public static let limit = 4_096

  /// One for an account. Neither issuer nor account may have a colon in it, which would end the issuer.
  ///
  /// Throws `uriLabel`, `uriTooLong`, `digitsUnsupported`, `periodUnsupported`.
  public init(
    issuer: String?, account: String, secret: borrowing OTPSecret, kind: Kind = .totp(period: .seconds(30)),
    algorithm: OTPAlgorithm = .sha1, digits: Int = 6
  ) throws(OTPError) {
    for text in [issuer ?? "-", account] {
      guard !text.isEmpty, !text.utf8.contains(UInt8(ascii: ":")), !text.utf8.allSatisfy({ $0 == 0x20 })
      else {
        throw .uriLabel(text)
      }
      guard text.utf8.count <= 256 else { throw .uriTooLong(size: text.utf8.count, limit: 256) }
    }
    guard (6...8).contains(digits) else { throw .digitsUnsupported(digits) }
    if case .totp(let period) = kind { try TOTP.check(period: period) }
    self.kind = kind
    self.issuer = issuer
    self.account = account
    self.secret = secret.clone()
    self.algorithm = algorithm
    self.digits = digits
  }

  /// The URI. It has the secret in it: whoever sees it can make the codes.
  public borrowing func text() -> SecretBytes {
    var head: [UInt8] = []
    switch kind {
    case .totp: head.append("otpauth://totp/" as StaticString)
    case .hotp: head.append("otpauth://hotp/" as StaticString)
    }
    if let issuer {
      PercentEncoding.append(Array(issuer.utf8).span, keepingSlashes: false, to: &head)
      head.append(UInt8(ascii: ":"))
    }
    PercentEncoding.append(account.utf8.span, keepingSlashes: false, to: &head)
    head.append("?secret=" as StaticString)
    var tail: [UInt8] = []
    if let issuer {
      tail.append("&issuer=" as StaticString)
      PercentEncoding.append(issuer.utf8.span, keepingSlashes: false, to: &tail)
    }
    tail.append("&algorithm=\(algorithm.name)&digits=\(digits)")
    switch kind {
    case .totp(let period): tail.append("&period=\(period.wholeSeconds)")
    case .hotp(let counter): tail.append("&counter=\(counter)")
    }
    let base32 = secret.base32()
    return SecretBytes(count: head.count + base32.count + tail.count) { output in
      for index in head.indices { output[index] = head[index] }
      base32.withBytes { base32 in
        for index in base32.indices { output[head.count + index] = base32[index] }
      }
      for index in tail.indices { output[head.count + base32.count + index] = tail[index] }
    }
  }

  /// Codes of the time as this URI has them.
  ///
  /// Throws `uriCodesMismatch` for a URI of a counter, `libraryFailure`.
  public borrowing func totp() throws(OTPError) -> TOTP {
    guard case .totp(let period) = kind else { throw .uriCodesMismatch(expected: "the time") }
    return try TOTP(secret, algorithm: algorithm, digits: digits, period: period)
  }

  /// Codes of a counter as this URI has them.
  ///
  /// Throws `uriCodesMismatch` for a URI of the time, `libraryFailure`.
  public borrowing func hotp() throws(OTPError) -> HOTP {
    guard case .hotp = kind else { throw .uriCodesMismatch(expected: "a counter") }
    return try HOTP(secret, algorithm: algorithm, digits: digits)
  }

  init(
    kind: Kind, issuer: String?, account: String, secret: consuming OTPSecret, algorithm: OTPAlgorithm,
    digits: Int
  ) {
    self.kind = kind
    self.issuer = issuer
    self.account = account
    self.secret = secret
    self.algorithm = algorithm
    self.digits = digits
  }
}
