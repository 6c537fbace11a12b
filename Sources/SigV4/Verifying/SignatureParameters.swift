internal import TokenSecurityEncodings

/// What a signature says of itself, in `Authorization` or in the query.
public struct SignatureParameters: Sendable {
  // Shared: the parameters go from step to step with the request.
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

  /// Where the signature stands.
  public var placement: SignaturePlacement { fields.placement }
  /// How it was made.
  public var algorithm: SigningAlgorithm { fields.algorithm }
  /// Whose key it claims to be of.
  public var accessKeyID: String { fields.accessKeyID }
  /// What that key is good for.
  public var scope: CredentialScope { fields.scope }
  /// When it was made.
  public var date: Timestamp { fields.date }
  /// The date as it was sent.
  var dateBytes: [UInt8] { fields.dateBytes }
  /// How long a presigned URL is valid; nil for headers.
  public var expires: Duration? { fields.expires.map { .seconds($0) } }
  /// ``expires`` in seconds.
  var expiresSeconds: Int64? { fields.expires }
  /// The names of the headers that it covers.
  var signedNames: SignedHeaderNames { fields.signedNames }
  /// The names of the headers that it covers, in lower case, sorted.
  public var signedHeaders: [String] { signedNames.texts }
  /// The regions of SigV4A; empty for SigV4.
  public var regionSet: [String] { fields.regionSet }
  /// The session token, of whatever worth.
  public var sessionToken: String? { fields.sessionToken }
  /// The bytes of the signature.
  var signature: [UInt8] { fields.signature }

  /// The signature in hex.
  public var signatureText: String { Hex.string(signature) }

  /// True where the scope is of the day on which the signature was made.
  var isScopeOfItsDay: Bool {
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
    // Where each part ends.
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
    // Lower case, as all signers write it: one signature has one form.
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
