internal import TokenSecurityBase

/// The parameter `Credential`: `AKID/20150830/us-east-1/service/aws4_request`, without the region for SigV4A.
/// Its parts stay in the text, and are compared there.
struct CredentialParameter: Sendable {
  /// The parameter or the header that has the text.
  private let bytes: [UInt8]
  /// The ranges of the parts in ``bytes``.
  private let accessKeyIDRange: Range<Int>
  private let dayRange: Range<Int>
  private let regionRange: Range<Int>?
  private let serviceRange: Range<Int>
  private let end: Int

  /// - Throws: `credentialMalformed`, `scopeTermination`, `accessKeyMalformed`, `scopePart`.
  init(
    _ bytes: [UInt8], in range: Range<Int>? = nil, _ algorithm: SigningAlgorithm
  ) throws(SigV4Error) {
    let range = range ?? bytes.indices
    let span = bytes.span.extracting(..<range.upperBound)
    let count = algorithm == .hmacSHA256 ? 5 : 4
    // The end of each part.
    var ends = InlineArray<5, Int>(repeating: 0)
    var found = 0
    var start = range.lowerBound
    while start <= span.count {
      let end = ByteSearch.firstIndex(of: UInt8(ascii: "/"), in: span, from: start) ?? span.count
      if found < count { ends[found] = end }
      found += 1
      start = end + 1
    }
    guard found == count else { throw .credentialMalformed(String(decoding: bytes[range], as: UTF8.self)) }
    func part(_ index: Int) -> Range<Int> {
      (index == 0 ? range.lowerBound : ends[index - 1] + 1)..<ends[index]
    }
    func text(_ index: Int) -> String { String(decoding: bytes[part(index)], as: UTF8.self) }
    guard ByteOrder.isEqual(span.extracting(part(count - 1)), "aws4_request") else {
      throw .scopeTermination(text(count - 1))
    }
    guard Credentials.isAccessKeyID(span.extracting(part(0))) else { throw .accessKeyMalformed(text(0)) }
    let day = part(1)
    guard day.count == 8, day.allSatisfy({ (0x30...0x39).contains(span[$0]) }) else {
      throw .credentialMalformed(String(decoding: bytes[range], as: UTF8.self))
    }
    if count == 5, !CredentialScope.isPart(span.extracting(part(2))) { throw .scopePart("region", text(2)) }
    guard CredentialScope.isPart(span.extracting(part(count - 2))) else {
      throw .scopePart("service", text(count - 2))
    }
    self.bytes = bytes
    accessKeyIDRange = part(0)
    dayRange = day
    regionRange = count == 5 ? part(2) : nil
    serviceRange = part(count - 2)
    end = range.upperBound
  }

  var accessKeyID: String { text(accessKeyIDRange) }

  var scope: CredentialScope {
    CredentialScope(
      checkedDay: text(dayRange), region: regionRange.map { text($0) }, service: text(serviceRange))
  }

  /// The scope as text.
  var scopeBytes: [UInt8] { Array(bytes[dayRange.lowerBound..<end]) }

  func hasAccessKeyID(_ text: String) -> Bool { has(text.utf8.span, accessKeyIDRange) }
  func hasService(_ text: String) -> Bool { has(text.utf8.span, serviceRange) }
  func hasRegion(_ text: String) -> Bool { regionRange.map { has(text.utf8.span, $0) } ?? false }

  /// The service as a string; `usual`, without a new string, when it is the same.
  func service(usually usual: String) -> String { hasService(usual) ? usual : text(serviceRange) }

  /// The region as a string; `usual` for SigV4A, and without a new string when it is the same.
  func region(usually usual: String) -> String {
    guard let regionRange, !hasRegion(usual) else { return usual }
    return text(regionRange)
  }

  /// Whether the day is that of a date such as `20150830T123600Z`.
  func hasDay(of date: [UInt8]) -> Bool {
    date.count >= 8 && has(date.span.extracting(..<8), dayRange)
  }

  /// Whether the whole text is `text`.
  func isEqual(_ text: [UInt8]) -> Bool { has(text.span, accessKeyIDRange.lowerBound..<end) }

  private func has(_ text: borrowing Span<UInt8>, _ range: Range<Int>) -> Bool {
    text.count == range.count && ByteWords.areEqual(bytes.span, from: range.lowerBound, text)
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}
