internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The members of one key in a JSON text, read by the rules of a ``KeyForm``.
struct JWKMembers {
  let document: JSONDocument
  private let object: Int
  let form: KeyForm
  /// Tolerated deviations.
  private(set) var warnings: Set<JWKSet.Warning.Kind> = []

  private static let privateNames = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

  init(_ document: JSONDocument, _ object: Int, _ form: KeyForm) {
    self.document = document
    self.object = object
    self.form = form
  }

  /// Records a deviation, or refuses it if the form is strict.
  mutating func warn(
    _ kind: JWKSet.Warning.Kind, orThrow error: @autoclosure () -> JOSEError
  ) throws(JOSEError) {
    guard form.writing == .tolerant else { throw error() }
    warnings.insert(kind)
  }

  /// Checks for private members by their names, before any member is read.
  mutating func checkPrivateMembers() throws(JOSEError) {
    guard form.privateMembers != .read else { return }
    for name in Self.privateNames {
      guard let place = document.member(name, of: object) else { continue }
      guard form.privateMembers == .ignored else { throw .keyNotPublic(member: name) }
      guard document.kind(at: place) != .null, !isEmptyArray(place) else { continue }
      warnings.insert(name == "k" ? .sharedSecret : .privateMembers)
    }
  }

  /// The place of a member's value. Null counts as absent.
  private mutating func place(_ name: String) throws(JOSEError) -> Int? {
    guard let place = document.member(name, of: object) else { return nil }
    guard document.kind(at: place) != .null else {
      try warn(.nullMember, orThrow: .keyMemberInvalid(name: name))
      return nil
    }
    return place
  }

  /// True if the key has this private member and the form reads it.
  mutating func hasSecret(_ name: String) throws(JOSEError) -> Bool {
    guard form.privateMembers == .read else { return false }
    return try place(name) != nil
  }

  /// The place of an array. .NET's `JsonWebKey` writes unset arrays as empty ones: these count as absent if
  /// the form is tolerant.
  mutating func arrayPlace(_ name: String) throws(JOSEError) -> Int? {
    guard let place = try place(name) else { return nil }
    guard form.writing == .tolerant, isEmptyArray(place) else { return place }
    warnings.insert(.emptyArray)
    return nil
  }

  private func isEmptyArray(_ place: Int) -> Bool {
    document.kind(at: place) == .array && document.elements(of: place).isEmpty
  }

  mutating func string(_ name: String) throws(JOSEError) -> String? {
    guard let place = try place(name) else { return nil }
    guard let text = document.string(at: place) else { throw .keyMemberInvalid(name: name) }
    return text
  }

  mutating func strings(_ name: String) throws(JOSEError) -> [String]? {
    guard let place = try arrayPlace(name) else { return nil }
    guard let strings = document.value(at: place).strings else { throw .keyMemberInvalid(name: name) }
    return strings
  }

  /// `kid`. Some servers write it as a number.
  mutating func keyID() throws(JOSEError) -> String? {
    guard let place = try place("kid") else { return nil }
    if let number = document.number(at: place) {
      try warn(.numericKeyID, orThrow: .keyMemberInvalid(name: "kid"))
      return number.description
    }
    return try string("kid")
  }

  /// Decodes base64url, with padding if the form is tolerant.
  mutating func bytes(_ name: String) throws(JOSEError) -> [UInt8]? {
    guard let place = try place(name) else { return nil }
    guard document.kind(at: place) == .string, !document.isEscaped(at: place) else {
      throw .keyMemberInvalid(name: name)
    }
    let padding = document.withBytes(at: place) { text in
      var count = 0
      while count < text.count, text[text.count - count - 1] == UInt8(ascii: "=") { count += 1 }
      return count
    }
    if padding > 0 {
      guard padding <= 2, document.length(at: place) % 4 == 0 else { throw .keyMemberInvalid(name: name) }
      try warn(.padding, orThrow: .keyMemberInvalid(name: name))
    }
    do {
      return try document.withBytes(at: place) { text throws(BaseEncodingError) in
        try Base64URL.decode(text, from: 0, to: text.count - padding)
      }
    } catch {
      throw .keyMemberInvalid(name: name)
    }
  }

  mutating func needed(_ name: String) throws(JOSEError) -> [UInt8] {
    guard let bytes = try bytes(name) else { throw .keyMemberMissing(name: name) }
    return bytes
  }

  mutating func secret(_ name: String) throws(JOSEError) -> SecretBytes {
    var bytes = try needed(name)
    return SecretBytes(wiping: &bytes)
  }

  /// A number of an RSA key without leading zero bytes, which RFC 7518 section 6.3.1.1 forbids and some
  /// implementations write.
  mutating func number(_ name: String) throws(JOSEError) -> [UInt8] {
    guard !form.acceptsStandardAlphabet else { return try looseNumber(name) }
    let bytes = try needed(name)
    let start = bytes.firstIndex { $0 != 0 } ?? bytes.count
    guard start < bytes.count else { throw .keyMemberInvalid(name: name) }
    guard start > 0 else { return bytes }
    try warn(.leadingZero, orThrow: .keyMemberInvalid(name: name))
    return Array(bytes[start...])
  }

  // Either alphabet, padded or not. Leading zero bytes are dropped.
  private mutating func looseNumber(_ name: String) throws(JOSEError) -> [UInt8] {
    guard let text = try string(name) else { throw .keyMemberMissing(name: name) }
    var characters = text.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: byte
      }
    }
    while characters.count % 4 == 0, characters.last == UInt8(ascii: "=") { characters.removeLast() }
    if characters.last == UInt8(ascii: "=") { characters.removeLast() }
    guard let bytes = try? Base64URL.decode(characters.span) else { throw .keyMemberInvalid(name: name) }
    let number = bytes.drop { $0 == 0 }
    guard !number.isEmpty else { throw .keyMemberInvalid(name: name) }
    return Array(number)
  }

  /// `x5t#S256`; nil if it is malformed and the form is tolerant.
  mutating func certificateThumbprint() throws(JOSEError) -> [UInt8]? {
    do {
      guard let digest = try bytes("x5t#S256") else { return nil }
      if digest.count == DigestAlgorithm.sha256.size { return digest }
    } catch {
      guard form.writing == .tolerant else { throw error }
    }
    try warn(.certificateThumbprint, orThrow: .certificateThumbprintMismatch)
    return nil
  }
}
