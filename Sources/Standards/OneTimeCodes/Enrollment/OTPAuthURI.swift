internal import TokenSecurityBase
public import TokenSecurityCrypto

/// The URI that sets up a device, usually shown as a QR code (`otpauth://totp/…`, the "Key URI Format" of
/// Google Authenticator).
public struct OTPAuthURI: ~Copyable, Sendable {
  /// The kind of codes.
  public enum Kind: Sendable, Hashable {
    /// Time-based codes, with the time that each is shown.
    case totp(period: Duration)
    /// Counter-based codes, with the first counter.
    case hotp(counter: UInt64)
  }

  /// The kind of codes.
  public let kind: Kind
  /// The service that verifies the codes.
  public let issuer: String?
  /// The user's account.
  public let account: String
  /// The secret.
  public let secret: OTPSecret
  /// The hash function.
  public let algorithm: OTPAlgorithm
  /// The number of digits of a code.
  public let digits: Int
  /// How codes are written.
  public let form: OTPCodeForm
  /// Unusual properties of the text that the URI was read from, in the order of the cases.
  public let warnings: [Warning]

  /// Something unusual, with one meaning for the applications that services are used with.
  public enum Warning: Sendable, Hashable, CustomStringConvertible {
    /// The label has another issuer than the parameter, which counts.
    case issuers(label: String, parameter: String)
    /// The secret differs from base32 of RFC 4648.
    case secret(OTPSecret.Deviation)

    /// One sentence, without the secret.
    public var description: String {
      switch self {
      case .issuers(let label, let parameter):
        "the label's issuer is \(label.quoted); the parameter's, \(parameter.quoted), counts"
      case .secret(let deviation): deviation.description
      }
    }
  }

  /// The maximum size of a URI in bytes.
  public static let limit = 4_096

  /// Creates a URI for an account.
  ///
  /// - Parameters:
  ///   - issuer: the service that verifies the codes, at most 256 bytes without a colon; nil for none.
  ///   - account: the user's account, at most 256 bytes without a colon.
  ///   - secret: the user's secret.
  ///   - kind: the kind of codes. Default: time-based, shown for 30 seconds.
  ///   - algorithm: the hash function. Default: SHA-1, the only one that many devices support.
  ///   - digits: the number of digits of a code, 6 to 8.
  /// - Throws: `uriLabel`, `uriTooLong`, `digitsUnsupported`, `periodUnsupported`.
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
    form = .decimal
    warnings = []
  }

  /// The URI, which contains the secret.
  ///
  /// - Returns: the text in UTF-8.
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
    if form == .steam { tail.append("&encoder=steam" as StaticString) }
    let base32 = secret.base32()
    return SecretBytes(count: head.count + base32.count + tail.count) { output in
      for index in head.indices { output[index] = head[index] }
      base32.withBytes { base32 in
        for index in base32.indices { output[head.count + index] = base32[index] }
      }
      for index in tail.indices { output[head.count + base32.count + index] = tail[index] }
    }
  }

  /// The URI's time-based codes.
  ///
  /// - Returns: the codes with the URI's algorithm, digits and period.
  /// - Throws: `uriCodesMismatch` for a counter-based URI; `libraryFailure`.
  public borrowing func totp() throws(OTPError) -> TOTP {
    guard case .totp(let period) = kind else { throw .uriCodesMismatch(expected: "time-based") }
    guard form == .decimal else { return try TOTP(steam: secret, period: period) }
    return try TOTP(secret: secret, algorithm: algorithm, digits: digits, period: period)
  }

  /// The URI's counter-based codes.
  ///
  /// - Returns: the codes with the URI's algorithm and digits.
  /// - Throws: `uriCodesMismatch` for a time-based URI; `libraryFailure`.
  public borrowing func hotp() throws(OTPError) -> HOTP {
    guard case .hotp = kind else { throw .uriCodesMismatch(expected: "counter-based") }
    return try HOTP(secret: secret, algorithm: algorithm, digits: digits)
  }

  init(
    kind: Kind, issuer: String?, account: String, secret: consuming OTPSecret, algorithm: OTPAlgorithm,
    digits: Int, form: OTPCodeForm, warnings: [Warning]
  ) {
    self.form = form
    self.warnings = warnings
    self.kind = kind
    self.issuer = issuer
    self.account = account
    self.secret = secret
    self.algorithm = algorithm
    self.digits = digits
  }
}
