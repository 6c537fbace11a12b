internal import TokenSecurityBase

/// The parameters of a signature, from `Authorization` or from the query.
public struct SignatureParameters: Sendable {
  // A reference, so that a copy of the value is cheap.
  private let fields: Fields

  final class Fields: Sendable {
    let placement: SignaturePlacement
    let algorithm: SigningAlgorithm
    let credential: CredentialParameter
    let date: Timestamp
    let dateBytes: [UInt8]
    let expires: Int64?
    let signedNames: SignedHeaderNames
    let regionSet: [String]
    let sessionToken: String?
    let signature: SignatureBytes

    init(
      placement: SignaturePlacement, algorithm: SigningAlgorithm, credential: CredentialParameter,
      dateBytes: [UInt8], expires: Int64?, signedNames: SignedHeaderNames, regionSet: [String],
      sessionToken: String?, signature: SignatureBytes
    ) throws(SigV4Error) {
      guard let date = Timestamp.readAMZDate(dateBytes.span) else {
        throw .dateMalformed(String(decoding: dateBytes, as: UTF8.self))
      }
      self.placement = placement
      self.algorithm = algorithm
      self.credential = credential
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

  /// The placement of the signature.
  public var placement: SignaturePlacement { fields.placement }
  /// The algorithm of the signature.
  public var algorithm: SigningAlgorithm { fields.algorithm }
  /// The access key ID.
  public var accessKeyID: String { fields.credential.accessKeyID }
  /// The scope of the signing key.
  public var scope: CredentialScope { fields.credential.scope }
  /// The access key ID and the scope as text.
  var credential: CredentialParameter { fields.credential }
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
  /// The session token, which may be wrong; nil for none, and for one that was sent empty.
  public var sessionToken: String? { hasEmptySessionToken ? nil : fields.sessionToken }
  /// Whether a session token was sent empty, as some clients do for an empty variable. Such a request is
  /// accepted for a long-term key: ``VerificationKey/credentials(_:)`` without a session token and with an ID
  /// that does not begin with `ASIA`, AWS's prefix of temporary credentials.
  public var hasEmptySessionToken: Bool { fields.sessionToken?.isEmpty == true }
  /// The session token as it was sent, perhaps empty.
  var sentToken: String? { fields.sessionToken }
  /// The bytes of the signature.
  var signature: SignatureBytes { fields.signature }

  /// The signature in hex.
  public var signatureText: String { Hex.string(signature.array) }

  /// Whether the scope has the day of the date.
  var scopeHasDay: Bool { fields.credential.hasDay(of: fields.dateBytes) }
}

extension SignatureParameters {
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
