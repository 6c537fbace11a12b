public import TokenSecurityCrypto
internal import TokenSecurityEncodings

extension OTPAuthURI {
  /// Parses a URI. Unknown parameters are ignored; a `+` in a parameter is a space.
  ///
  /// - Parameters:
  ///   - text: the URI in UTF-8.
  ///   - strength: what to do with a secret of fewer than 128 bits. Default: refuse it.
  /// - Throws: `uriTooLong`, `uriKind`, `uriEncoding`, `uriLabel`, `uriParameterMissing`,
  ///   `uriParameterRepeated`, `uriParameterInvalid`, `uriIssuerMismatch`, `base32Character`, `base32Length`,
  ///   `base32Padding`, `base32TrailingBits`, `secretTooShort`, `secretTooLong`.
  public init(
    _ text: borrowing SecretBytes, strength: OTPSecret.Strength = .standard
  ) throws(OTPError) {
    guard text.count <= Self.limit else { throw .uriTooLong(size: text.count, limit: Self.limit) }
    self = try text.withBytes { bytes throws(OTPError) in try OTPAuthReading(bytes).uri(bytes, strength) }
  }
}

/// The positions of a URI's parameters. The secret is not copied.
private struct OTPAuthReading {
  private let isTOTP: Bool
  private let label: [UInt8]
  private var values: [Parameter: Range<Int>] = [:]

  /// The known parameters, by their names in lowercase.
  private enum Parameter: ExactString {
    case secret
    case issuer
    case algorithm
    case digits
    case period
    case counter
  }

  init(_ bytes: borrowing Span<UInt8>) throws(OTPError) {
    let start = [UInt8](unwipedCopy: bytes.extracting(first: min(15, bytes.count)))
    switch String(decoding: start, as: UTF8.self).lowercasedASCII {
    case "otpauth://totp/": isTOTP = true
    case "otpauth://hotp/": isTOTP = false
    default:
      // Text without a scheme may be a secret in the wrong place: the error does not show it.
      let scheme = start.prefix { $0 != UInt8(ascii: ":") }
      throw .uriKind(scheme.count < start.count ? String(decoding: start, as: UTF8.self) : "…")
    }
    var end = bytes.count
    if let fragment = ByteSearch.firstIndex(of: UInt8(ascii: "#"), in: bytes, from: 15) { end = fragment }
    let whole = bytes.extracting(0..<end)
    let mark = ByteSearch.firstIndex(of: UInt8(ascii: "?"), in: whole, from: 15) ?? end
    label = [UInt8](unwipedCopy: bytes.extracting(15..<mark))
    var place = min(mark + 1, end)
    while place < end {
      let stop = ByteSearch.firstIndex(of: UInt8(ascii: "&"), in: whole, from: place) ?? end
      if stop > place { try add(whole, place..<stop) }
      place = stop + 1
    }
  }

  private mutating func add(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) throws(OTPError) {
    let part = bytes.extracting(range)
    let sign = ByteSearch.firstIndex(of: UInt8(ascii: "="), in: part, from: 0) ?? part.count
    let text = try Self.text([UInt8](unwipedCopy: part.extracting(0..<sign)), "parameters")
    // An unknown name is not reported: it may be a secret without its name.
    guard let name = Parameter(name: text.lowercasedASCII) else { return }
    let value = min(range.lowerBound + sign + 1, range.upperBound)..<range.upperBound
    guard values.updateValue(value, forKey: name) == nil else { throw .uriParameterRepeated(name.name) }
  }

  func uri(
    _ bytes: borrowing Span<UInt8>, _ strength: OTPSecret.Strength
  ) throws(OTPError) -> OTPAuthURI {
    let (labelIssuer, account) = try names()
    guard let place = values[.secret], !place.isEmpty else { throw .uriParameterMissing("secret") }
    let secret = try secret(bytes.extracting(place), strength)
    let issuer = try value(.issuer, bytes)
    if let labelIssuer, let issuer, !labelIssuer.utf8.elementsEqual(issuer.utf8) {
      throw .uriIssuerMismatch(label: labelIssuer, parameter: issuer)
    }
    var algorithm = OTPAlgorithm.sha1
    if let name = try value(.algorithm, bytes) {
      guard let known = OTPAlgorithm(anyCase: name) else { throw .uriParameterInvalid("algorithm", name) }
      algorithm = known
    }
    let digits = Int(try number(.digits, bytes, 6...8) ?? 6)
    let period = try number(.period, bytes, 1...86_400)
    let counter = try number(.counter, bytes, 0 ... .max)
    if !isTOTP, counter == nil { throw .uriParameterMissing("counter") }
    return OTPAuthURI(
      kind: isTOTP ? .totp(period: .seconds(period ?? 30)) : .hotp(counter: counter ?? 0),
      issuer: issuer ?? labelIssuer, account: account, secret: secret, algorithm: algorithm, digits: digits)
  }

  /// Parses ACCOUNT or ISSUER:ACCOUNT, with a plain or encoded colon and optional spaces after it.
  private func names() throws(OTPError) -> (issuer: String?, account: String) {
    let text = try Self.text(label, "label")
    // By bytes: as a `Character`, a colon with a combining mark is not a colon.
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count <= 2, let last = parts.last else { throw .uriLabel(text) }
    let account = String(decoding: last.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
    let issuer = parts.count == 2 ? String(decoding: parts[0], as: UTF8.self) : nil
    guard !account.isEmpty, issuer?.isEmpty != true else { throw .uriLabel(text) }
    return (issuer, account)
  }

  /// Decodes the secret. Only percent-encoded padding is decoded before base32.
  private func secret(
    _ bytes: borrowing Span<UInt8>, _ strength: OTPSecret.Strength
  ) throws(OTPError) -> OTPSecret {
    var padding = 0
    var end = bytes.count
    while end >= 3, bytes[end - 3] == UInt8(ascii: "%"), bytes[end - 2] == UInt8(ascii: "3"),
      bytes[end - 1] | 0x20 == UInt8(ascii: "d")
    {
      end -= 3
      padding += 1
    }
    let text = SecretBytes(count: end + padding) { output in
      for index in 0..<end { output[index] = bytes[index] }
      for index in end..<(end + padding) { output[index] = UInt8(ascii: "=") }
    }
    return try text.withBytes { text throws(OTPError) in try OTPSecret(base32: text, .unpadded, strength) }
  }

  private func value(_ name: Parameter, _ bytes: borrowing Span<UInt8>) throws(OTPError) -> String? {
    guard let place = values[name] else { return nil }
    var text = [UInt8](unwipedCopy: bytes.extracting(place))
    for index in text.indices where text[index] == UInt8(ascii: "+") { text[index] = 0x20 }
    return try Self.text(text, name.name)
  }

  private func number(
    _ name: Parameter, _ bytes: borrowing Span<UInt8>, _ range: ClosedRange<UInt64>
  ) throws(OTPError) -> UInt64? {
    guard let text = try value(name, bytes) else { return nil }
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(text),
      range.contains(number)
    else { throw .uriParameterInvalid(name.name, text) }
    return number
  }

  private static func text(_ bytes: [UInt8], _ part: String) throws(OTPError) -> String {
    guard PercentEncoding.firstMalformed(bytes.span) == nil else { throw .uriEncoding(part) }
    let decoded = PercentEncoding.decode(bytes.span)
    guard let text = String(validating: decoded, as: UTF8.self) else { throw .uriEncoding(part) }
    return text
  }
}
