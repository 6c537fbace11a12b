public import TokenSecurityCrypto
internal import TokenSecurityEncodings

extension OTPAuthURI {
  /// Reads a URI. Parameters of names that are not known mean nothing; a `+` in a parameter is a space, as forms have it.
  ///
  /// Throws `uriTooLong`, `uriKind`, `uriEncoding`, `uriLabel`, `uriParameterMissing`, `uriParameterRepeated`,
  /// `uriParameterInvalid`, `uriIssuerMismatch`, `base32Character`, `base32Length`, `base32Padding`,
  /// `base32TrailingBits`, `secretTooShort`, `secretTooLong`.
  public init(
    _ text: borrowing SecretBytes, strength: OTPSecret.Strength = .standard
  ) throws(OTPError) {
    guard text.count <= Self.limit else { throw .uriTooLong(size: text.count, limit: Self.limit) }
    self = try text.withBytes { bytes throws(OTPError) in try OTPAuthReading(bytes).uri(bytes, strength) }
  }
}

/// Where the parts of a URI lie. The secret stays where it is: nothing of it is copied.
private struct OTPAuthReading {
  private let isTOTP: Bool
  private let label: [UInt8]
  private var values: [Parameter: Range<Int>] = [:]

  /// The parameters that mean something, by their names in small letters of ASCII.
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
    switch String(decoding: start.map(\.lowercasedASCII), as: UTF8.self) {
    case "otpauth://totp/": isTOTP = true
    case "otpauth://hotp/": isTOTP = false
    default:
      // What does not begin as a URI may be a secret that was put into the wrong place.
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
    // Not even the name of anything else is looked at: it may be a secret that lost its own.
    guard let name = Parameter(name: text.lowercasedASCII) else {
      return
    }
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

  /// ACCOUNT, or ISSUER:ACCOUNT with the colon as it is or encoded, and spaces behind it.
  private func names() throws(OTPError) -> (issuer: String?, account: String) {
    let text = try Self.text(label, "label")
    // By bytes: to Swift's characters a colon with a combining mark behind it is no colon.
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count <= 2, let last = parts.last else { throw .uriLabel(text) }
    let account = String(decoding: last.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
    let issuer = parts.count == 2 ? String(decoding: parts[0], as: UTF8.self) : nil
    guard !account.isEmpty, issuer?.isEmpty != true else { throw .uriLabel(text) }
    return (issuer, account)
  }

  /// The secret, decoded where it stands; a padding that was encoded is the one thing that is turned back.
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
    guard PercentEncoding.firstFault(bytes.span) == nil else { throw .uriEncoding(part) }
    let decoded = PercentEncoding.decode(bytes.span)
    guard let text = String(validating: decoded, as: UTF8.self) else { throw .uriEncoding(part) }
    return text
  }
}
