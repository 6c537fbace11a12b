internal import TokenSecurityBase

/// The header `Authorization` of a signed request: an algorithm, then `Credential`, `SignedHeaders` and
/// `Signature`, each once, in any order, separated by commas.
struct AuthorizationHeader {
  let algorithm: SigningAlgorithm
  let value: [UInt8]
  let credential: Range<Int>
  let signedHeaders: Range<Int>
  let signature: Range<Int>

  init(_ value: [UInt8]) throws(SigV4Error) {
    guard value.count <= 8_192 else { throw .authorizationMalformed("it has \(value.count) bytes") }
    let span = value.span
    guard let space = ByteSearch.firstIndex(of: 0x20, in: span, from: 0) else {
      throw .authorizationMalformed("nothing follows the algorithm")
    }
    if ByteOrder.isEqual(span.extracting(0..<space), "AWS4-HMAC-SHA256") {
      algorithm = .hmacSHA256
    } else if ByteOrder.isEqual(span.extracting(0..<space), "AWS4-ECDSA-P256-SHA256") {
      algorithm = .ecdsaP256SHA256
    } else if ByteOrder.isEqual(span.extracting(0..<space), "AWS") {
      throw .signatureVersion2(in: "Authorization")
    } else {
      throw .algorithmUnknown(String(decoding: value[..<space], as: UTF8.self))
    }
    var found: (credential: Range<Int>?, signedHeaders: Range<Int>?, signature: Range<Int>?) = (nil, nil, nil)
    var start = space + 1
    while start <= span.count {
      let end = ByteSearch.firstIndex(of: UInt8(ascii: ","), in: span, from: start) ?? span.count
      let part = Self.trimmed(span, start..<end)
      if let content = Self.content(span, part, "Credential=") {
        guard found.credential == nil else { throw .parameterRepeated("Credential") }
        found.credential = content
      } else if let content = Self.content(span, part, "SignedHeaders=") {
        guard found.signedHeaders == nil else { throw .parameterRepeated("SignedHeaders") }
        found.signedHeaders = content
      } else if let content = Self.content(span, part, "Signature=") {
        guard found.signature == nil else { throw .parameterRepeated("Signature") }
        found.signature = content
      } else {
        guard let mark = part.first(where: { value[$0] == UInt8(ascii: "=") }) else {
          throw .authorizationMalformed("a part has no =")
        }
        throw .parameterUnexpected(String(decoding: value[part.lowerBound..<mark], as: UTF8.self))
      }
      start = end + 1
    }
    guard let credential = found.credential else { throw .parameterMissing("Credential") }
    guard let signedHeaders = found.signedHeaders else { throw .parameterMissing("SignedHeaders") }
    guard let signature = found.signature else { throw .parameterMissing("Signature") }
    self.value = value
    self.credential = credential
    self.signedHeaders = signedHeaders
    self.signature = signature
  }

  /// The range of the value of a part that begins with `name`, a name and its `=`.
  @inline(__always)
  private static func content(
    _ bytes: borrowing Span<UInt8>, _ part: Range<Int>, _ name: StaticString
  ) -> Range<Int>? {
    let end = part.lowerBound + name.utf8CodeUnitCount
    guard end <= part.upperBound, ByteOrder.isEqual(bytes.extracting(part.lowerBound..<end), name) else {
      return nil
    }
    return end..<part.upperBound
  }

  private static func trimmed(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
    var low = range.lowerBound
    var high = range.upperBound
    while low < high, bytes[low] == 0x20 || bytes[low] == 0x09 { low += 1 }
    while low < high, bytes[high - 1] == 0x20 || bytes[high - 1] == 0x09 { high -= 1 }
    return low..<high
  }
}
