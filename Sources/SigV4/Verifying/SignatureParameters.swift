internal import TokenSecurityEncodings

/// The parameters of a signature, from `Authorization` or from the query.
public struct SignatureParameters: Sendable {
  // A reference, so that a copy of the value is cheap.
  private let fields: Fields

  final class Fields: Sendable {
    let placement: SignaturePlacement
    let algorithm: SigningAlgorithm
    let accessKeyID: String
    let scope: CredentialScope
    let date: Timestamp
    let dateBytes: [UInt8]
    let expires: Int64?
    let signedNames: SignedHeaderNames
    let regionSet: [String]
    let sessionToken: String?
    let signature: [UInt8]

    init(
      placement: SignaturePlacement, algorithm: SigningAlgorithm,
      credential: (accessKeyID: String, scope: CredentialScope),
      dateBytes: [UInt8], expires: Int64?, signedNames: SignedHeaderNames, regionSet: [String],
      sessionToken: String?,
      signature: [UInt8]
    ) throws(SigV4Error) {
      guard let date = Timestamp.readAMZDate(dateBytes.span) else {
        throw .dateMalformed(String(decoding: dateBytes, as: UTF8.self))
      }
      self.placement = placement
      self.algorithm = algorithm
      accessKeyID = credential.accessKeyID
      scope = credential.scope
      self.date = date
      self.dateBytes = dateBytes
      self.expires = expires
      self.signedNames = signedNames
      self.regionSet = regionSet
      self.sessionToken = sessionToken
      self.signature = signature
    }
  }

  init(_ fields: Fields) { self.fields = fields }

  /// The place of the signature.
  public var placement: SignaturePlacement { fields.placement }
  /// The algorithm of the signature.
  public var algorithm: SigningAlgorithm { fields.algorithm }
  /// The access key ID.
  public var accessKeyID: String { fields.accessKeyID }
  /// The scope of the signing key.
  public var scope: CredentialScope { fields.scope }
  /// When the signature was made.
  public var date: Timestamp { fields.date }
  /// The date as text.
  var dateBytes: [UInt8] { fields.dateBytes }
  /// The lifetime of a presigned URL; nil for a signature in headers.
  public var expires: Duration? { fields.expires.map { .seconds($0) } }
  /// ``expires`` in seconds.
  var expiresSeconds: Int64? { fields.expires }
  /// The names of the signed headers.
  var signedNames: SignedHeaderNames { fields.signedNames }
  /// The names of the signed headers, in lower case, sorted.
  public var signedHeaders: [String] { signedNames.texts }
  /// The regions of SigV4A; empty for SigV4.
  public var regionSet: [String] { fields.regionSet }
  /// The session token, which may be wrong.
  public var sessionToken: String? { fields.sessionToken }
  /// The bytes of the signature.
  var signature: [UInt8] { fields.signature }

  /// The signature in hex.
  public var signatureText: String { Hex.string(signature) }

  /// Whether the scope has the day of the date.
  var scopeHasDay: Bool {
    let day = fields.scope.day.utf8.span
    for index in 0..<8 where day[index] != fields.dateBytes[index] { return false }
    return true
  }
}

extension SignatureParameters {
  /// `AKID/20150830/us-east-1/service/aws4_request`, without the region for SigV4A.
  static func credential(
    _ bytes: [UInt8], in range: Range<Int>? = nil, _ algorithm: SigningAlgorithm
  ) throws(SigV4Error) -> (accessKeyID: String, scope: CredentialScope) {
    let range = range ?? bytes.indices
    let span = bytes.span
    let count = algorithm == .hmacSHA256 ? 5 : 4
    // The end of each part.
    var ends = InlineArray<5, Int>(repeating: 0)
    var found = 0
    var start = range.lowerBound
    while start <= range.upperBound {
      let end = min(
        ByteSearch.firstIndex(of: UInt8(ascii: "/"), in: span, from: start) ?? range.upperBound,
        range.upperBound)
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
    let accessKeyID = text(0)
    try Credentials.check(accessKeyID: accessKeyID)
    let day = part(1)
    guard day.count == 8, day.allSatisfy({ (0x30...0x39).contains(bytes[$0]) }) else {
      throw .credentialMalformed(String(decoding: bytes[range], as: UTF8.self))
    }
    return (
      accessKeyID,
      try CredentialScope(day: text(1), region: count == 5 ? text(2) : nil, service: text(count - 2))
    )
  }

  static func readSignature(
    _ bytes: [UInt8], in range: Range<Int>? = nil, _ algorithm: SigningAlgorithm
  ) throws(SigV4Error) -> [UInt8] {
    let range = range ?? bytes.indices
    // Lower case only, so that a signature has one form.
    let sizes = algorithm == .hmacSHA256 ? 64...64 : 16...144
    guard sizes.contains(range.count), let found = Hex.lowerCaseBytes(bytes.span.extracting(range)) else {
      throw .signatureMalformed(length: range.count)
    }
    return found
  }

  static func regionSet(_ text: [UInt8]) throws(SigV4Error) -> [String] {
    let shown = String(decoding: text, as: UTF8.self)
    let parts = text.split(separator: UInt8(ascii: ","), maxSplits: 64, omittingEmptySubsequences: false)
    let regions = parts.map { String(decoding: $0.trimmingBlanks, as: UTF8.self) }
    guard regions.count <= 64 else { throw .regionSetMalformed(shown) }
    for region in regions where region != "*" {
      let name = region.hasSuffix("*") ? String(region.dropLast()) : region
      do { try CredentialScope.check(name, "region") } catch { throw .regionSetMalformed(shown) }
    }
    return regions
  }
}
