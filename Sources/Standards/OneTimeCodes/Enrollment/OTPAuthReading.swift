internal import TokenSecurityBase
public import TokenSecurityCrypto

extension OTPAuthURI {
  /// Parses a URI, as the applications that services are used with do. Unknown parameters are ignored, unless they are known
  /// to change the codes; a `+` in a parameter is a space. ``warnings`` lists what the strict form refuses.
  ///
  /// - Parameters:
  ///   - text: the URI in UTF-8. `encoder=steam`, and `otpauth://steam/`, are for codes in Steam's form.
  ///   - form: `strict` refuses two issuers, and a secret that differs from RFC 4648 by more than its padding.
  ///   - strength: what to do with a secret of fewer than 128 bits. Default: refuse it.
  /// - Throws: `uriTooLong`, `uriKind`, `uriEncoding`, `uriLabel`, `uriParameterMissing`,
  ///   `uriParameterRepeated`, `uriParameterInvalid`, `uriParameterUnsupported`, `base32Character`, `base32Length`,
  ///   `base32Padding`, `secretTooShort`, `secretTooLong`; in the strict form `uriIssuerMismatch`, `base32TrailingBits`.
  public init(
    _ text: borrowing SecretBytes, form: OTPSecret.Form = .typed, strength: OTPSecret.Strength = .standard
  ) throws(OTPError) {
    guard text.count <= Self.limit else { throw .uriTooLong(size: text.count, limit: Self.limit) }
    self = try text.withBytes { bytes throws(OTPError) in
      try OTPAuthReading(bytes, form).uri(bytes, strength)
    }
  }
}

/// The positions of a URI's parameters. The secret is not copied.
private struct OTPAuthReading {
  private let kind: Kind
  private let form: OTPSecret.Form
  private let label: [UInt8]
  private var values: [Parameter: Range<Int>] = [:]

  /// The kinds of URIs, by their names in lowercase.
  private enum Kind: ExactString, CaseIterable {
    case totp
    case hotp
    /// Aegis writes it for codes in Steam's form.
    case steam
  }

  /// The known parameters, by their names in lowercase.
  private enum Parameter: ExactString {
    case secret
    case issuer
    case algorithm
    case digits
    case period
    case counter
    case encoder
  }

  /// Parameters that some application knows and that change the codes. Without them, the codes would be wrong.
  private static let unsupported: Set<ExactString> = [
    "algo", "alphabet", "charset", "digest", "encoding", "epoch", "hash", "hashalgorithm", "interval",
    "length", "offset",
    "pin", "radix", "step", "t0", "timeoffset", "timestep", "truncation",
  ]

  init(_ bytes: borrowing Span<UInt8>, _ form: OTPSecret.Form) throws(OTPError) {
    let first = [UInt8](unwipedCopy: bytes.extracting(first: min(24, bytes.count)))
    let lowered = String(decoding: first, as: UTF8.self).lowercasedASCII
    guard let kind = Kind.allCases.first(where: { lowered.hasPrefix("otpauth://\($0.name)/") }) else {
      throw .uriKind(Self.beginning(first))
    }
    self.kind = kind
    self.form = form
    let start = "otpauth:///".utf8.count + kind.name.utf8.count
    var end = bytes.count
    if let fragment = ByteSearch.firstIndex(of: UInt8(ascii: "#"), in: bytes, from: start) { end = fragment }
    let whole = bytes.extracting(0..<end)
    let mark = ByteSearch.firstIndex(of: UInt8(ascii: "?"), in: whole, from: start) ?? end
    label = [UInt8](unwipedCopy: bytes.extracting(start..<mark))
    var position = min(mark + 1, end)
    while position < end {
      let stop = ByteSearch.firstIndex(of: UInt8(ascii: "&"), in: whole, from: position) ?? end
      if stop > position { try add(whole, position..<stop) }
      position = stop + 1
    }
  }

  /// The part of a text of another kind that an error shows: the scheme, and after `otpauth://` a few characters more.
  /// The rest after another scheme may be the secret, as in `steam://`, and so may text without a scheme.
  private static func beginning(_ first: [UInt8]) -> String {
    guard let colon = first.firstIndex(of: UInt8(ascii: ":")) else { return "…" }
    guard first[colon...].starts(with: "://".utf8) else { return "…" }
    let scheme = String(decoding: first[..<colon], as: UTF8.self)
    return scheme.lowercasedASCII.isIdentical(to: "otpauth")
      ? String(decoding: first.prefix(15), as: UTF8.self) : scheme + "://"
  }

  private mutating func add(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) throws(OTPError) {
    let part = bytes.extracting(range)
    let sign = ByteSearch.firstIndex(of: UInt8(ascii: "="), in: part, from: 0) ?? part.count
    let text = try Self.text([UInt8](unwipedCopy: part.extracting(0..<sign)), "parameters")
    // An unknown name is not reported: it may be a secret without its name.
    let lowered = text.lowercasedASCII
    guard let name = Parameter(name: lowered) else {
      // The separator `&amp;` of a URI that was copied from the source of a page.
      let bare = lowered.utf8.starts(with: "amp;".utf8) ? String(lowered.utf8.dropFirst(4)) ?? "" : nil
      guard !Self.unsupported.contains(ExactString(bare ?? lowered)),
        bare.flatMap(Parameter.init(name:)) == nil
      else { throw .uriParameterUnsupported(lowered) }
      return
    }
    let value = min(range.lowerBound + sign + 1, range.upperBound)..<range.upperBound
    guard values.updateValue(value, forKey: name) == nil else { throw .uriParameterRepeated(name.name) }
  }

  func uri(
    _ bytes: borrowing Span<UInt8>, _ strength: OTPSecret.Strength
  ) throws(OTPError) -> OTPAuthURI {
    let (labelIssuer, account) = try names()
    guard let range = values[.secret], !range.isEmpty else { throw .uriParameterMissing("secret") }
    let secret = try secret(bytes.extracting(range), strength)
    var warnings = OTPSecret.Deviation.allCases.filter(secret.deviations.contains).map {
      OTPAuthURI.Warning.secret($0)
    }
    let issuer = try value(.issuer, bytes)
    if let labelIssuer, let issuer, !issuer.isEmpty, !labelIssuer.utf8.elementsEqual(issuer.utf8) {
      guard form == .typed else { throw .uriIssuerMismatch(label: labelIssuer, parameter: issuer) }
      warnings.insert(.issuers(label: labelIssuer, parameter: issuer), at: 0)
    }
    let service = issuer.flatMap { $0.isEmpty ? nil : $0 } ?? labelIssuer
    let codeForm = try codeForm(bytes, of: service)
    var algorithm = OTPAlgorithm.sha1
    if let name = try value(.algorithm, bytes) {
      guard let known = OTPAlgorithm(anyCase: name), codeForm == .decimal || known == .sha1 else {
        throw .uriParameterInvalid("algorithm", name)
      }
      algorithm = known
    }
    let digits = try digits(bytes, codeForm)
    let period = try number(.period, bytes, 1...86_400)
    let counter = try number(.counter, bytes, 0 ... .max)
    if kind == .hotp, counter == nil { throw .uriParameterMissing("counter") }
    return OTPAuthURI(
      kind: kind == .hotp ? .hotp(counter: counter ?? 0) : .totp(period: .seconds(period ?? 30)),
      issuer: service, account: account, secret: secret, algorithm: algorithm, digits: digits, form: codeForm,
      warnings: warnings)
  }

  /// `encoder`, which some applications write for codes in Steam's form. pyotp writes the issuer Steam and 10 digits alone.
  private func codeForm(
    _ bytes: borrowing Span<UInt8>, of issuer: String?
  ) throws(OTPError) -> OTPCodeForm {
    let encoder = try value(.encoder, bytes) ?? ""
    guard !encoder.isEmpty else {
      let digits = try number(.digits, bytes, 0 ... .max)
      let isOfSteam = kind == .totp && issuer?.isIdentical(to: "Steam") == true
      return kind == .steam || isOfSteam && (digits == 5 || digits == 10) ? .steam : .decimal
    }
    guard encoder.lowercasedASCII == "steam", kind != .hotp else {
      throw .uriParameterInvalid("encoder", encoder)
    }
    return .steam
  }

  /// `digits`. For Steam's form, pyotp writes 10, the digits before the conversion.
  private func digits(_ bytes: borrowing Span<UInt8>, _ form: OTPCodeForm) throws(OTPError) -> Int {
    guard form == .steam else { return Int(try number(.digits, bytes, 6...8) ?? 6) }
    let digits = try number(.digits, bytes, 5...10)
    guard digits == nil || digits == 5 || digits == 10 else {
      throw .uriParameterInvalid("digits", "\(digits ?? 0)")
    }
    return SteamCode.length
  }

  /// Parses ACCOUNT or ISSUER:ACCOUNT, with a plain or encoded colon and optional spaces after it. The account may be empty,
  /// and have further colons.
  private func names() throws(OTPError) -> (issuer: String?, account: String) {
    let text = try Self.text(label, "label")
    // By bytes: as a `Character`, a colon with a combining mark is not a colon.
    let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
    let last = colon.map { text.utf8[$0...].dropFirst() } ?? text.utf8[...]
    let account = String(decoding: last.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
    let issuer = colon.map { String(decoding: text.utf8[..<$0], as: UTF8.self) }
    guard issuer?.isEmpty != true else { throw .uriLabel(text) }
    return (issuer, account)
  }

  /// Decodes the secret. Only percent-encoded padding and spaces are decoded before base32, and `+` is a space.
  private func secret(
    _ bytes: borrowing Span<UInt8>, _ strength: OTPSecret.Strength
  ) throws(OTPError) -> OTPSecret {
    var count = 0
    let text = SecretBytes(count: bytes.count) { output in
      var index = 0
      while index < bytes.count {
        let (character, size) = Self.character(bytes, at: index)
        output[count] = character
        count += 1
        index += size
      }
    }
    return try text.withBytes { text throws(OTPError) in
      try OTPSecret(
        base32: text.extracting(first: count), form == .strict ? .unpadded : .typed, strength)
    }
  }

  /// A character of the secret and its size in the URI.
  private static func character(_ bytes: borrowing Span<UInt8>, at index: Int) -> (UInt8, Int) {
    guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count else {
      return (bytes[index] == UInt8(ascii: "+") ? 0x20 : bytes[index], 1)
    }
    switch (bytes[index + 1], bytes[index + 2] | 0x20) {
    case (UInt8(ascii: "3"), UInt8(ascii: "d")): return (UInt8(ascii: "="), 3)
    // 0x30 is the digit 0 with the bit of small letters.
    case (UInt8(ascii: "2"), 0x30) where bytes[index + 2] == 0x30: return (0x20, 3)
    default: return (bytes[index], 1)
    }
  }

  private func value(_ name: Parameter, _ bytes: borrowing Span<UInt8>) throws(OTPError) -> String? {
    guard let range = values[name] else { return nil }
    var text = [UInt8](unwipedCopy: bytes.extracting(range))
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
