/// A PrivateKeyInfo (RFC 5208 section 5), or a OneAsymmetricKey (RFC 5958 section 2), which may have a public key.
struct OneAsymmetricKey {
  private static let attributes: UInt8 = 0xA0
  private static let publicKey: UInt8 = 0x81
  /// The tag of early versions of the draft, which ring before 0.17 and tools built on it write.
  private static let explicitPublicKey: UInt8 = 0xA1

  private let algorithm: DERValue
  private let secret: DERValue
  /// The contents of the public key's bit string, without the count of unused bits.
  private let point: Range<Int>?

  /// Reads the parts. Attributes are ignored: none of them limits what a key may sign.
  ///
  /// Throws `malformedKey` for a version above 2, for a public key in version 1, and for unknown parts.
  init(_ parts: [DERValue], _ bytes: borrowing Span<UInt8>) throws(CryptoError) {
    guard parts.count >= 3, parts[0].contents.count == 1 else { throw .malformedKey }
    let version = bytes[parts[0].contents.lowerBound]
    guard version <= 1 else { throw .malformedKey }
    algorithm = parts[1]
    secret = parts[2]
    var rest = parts[3...]
    if rest.first?.tag == Self.attributes { rest.removeFirst() }
    guard let last = rest.popFirst() else {
      point = nil
      return
    }
    guard rest.isEmpty, version == 1 else { throw .malformedKey }
    var string = last
    if last.tag == Self.explicitPublicKey {
      let inner = try last.children(bytes)
      guard inner.count == 1, inner[0].tag == DERValue.bitString else { throw .malformedKey }
      string = inner[0]
    } else {
      guard last.tag == Self.publicKey else { throw .malformedKey }
    }
    guard let first = string.contents.first else { throw .malformedKey }
    guard bytes[first] == 0 else { throw .notDER(rule: "a key is not a whole number of bytes") }
    point = first + 1..<string.contents.upperBound
  }

  /// The key in the first version, the one that libcrypto 3.0 reads.
  func firstVersion(_ bytes: borrowing Span<UInt8>) -> SecretBytes {
    var contents: [UInt8] = [DERValue.integer, 1, 0]
    Self.append(algorithm, bytes, to: &contents)
    Self.append(secret, bytes, to: &contents)
    defer { _ = SecretBytes(wiping: &contents) }
    var whole = [DERValue.sequence] + Self.length(contents.count) + contents
    return SecretBytes(wiping: &whole)
  }

  /// The public key as SubjectPublicKeyInfo; nil for a file without one.
  func subjectPublicKeyInfo(_ bytes: borrowing Span<UInt8>) -> [UInt8]? {
    guard let point else { return nil }
    var contents: [UInt8] = []
    Self.append(algorithm, bytes, to: &contents)
    contents += [DERValue.bitString] + Self.length(point.count + 1) + [0]
    contents += [UInt8](unwipedCopy: bytes.extracting(point))
    return [DERValue.sequence] + Self.length(contents.count) + contents
  }

  private static func append(_ value: DERValue, _ bytes: borrowing Span<UInt8>, to output: inout [UInt8]) {
    output.reserveCapacity(output.count + value.contents.count + 6)
    output.append(value.tag)
    output += length(value.contents.count)
    for index in value.contents { output.append(bytes[index]) }
  }

  /// A length in DER (ITU-T X.690 section 10.1).
  private static func length(_ count: Int) -> [UInt8] {
    guard count >= 0x80 else { return [UInt8(count)] }
    var digits: [UInt8] = []
    var rest = count
    while rest > 0 {
      digits.insert(UInt8(truncatingIfNeeded: rest), at: 0)
      rest >>= 8
    }
    return [0x80 | UInt8(digits.count)] + digits
  }
}
