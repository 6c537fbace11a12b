internal import Encodings

/// What a signature says of itself, in `Authorization` or in the query.
public struct SignatureParameters: Sendable, Hashable {
  /// Where a signature stands.
  public enum Placement: String, Sendable, Hashable, CaseIterable {
    /// In the header `Authorization`.
    case header
    /// In the query: a presigned URL.
    case query
  }

  /// Where the signature stands.
  public let placement: Placement
  /// How it was made.
  public let algorithm: SigningAlgorithm
  /// Whose key it claims to be of.
  public let accessKeyID: String
  /// What that key is good for.
  public let scope: CredentialScope
  /// When it was made.
  public let date: AmzDate
  /// How many seconds a presigned URL holds; nil for headers.
  public let expires: Int64?
  /// The names of the headers that it covers, in lower case, sorted.
  public let signedHeaders: [String]
  /// The regions of SigV4A; empty for SigV4.
  public let regionSet: [String]
  /// The session token, of whatever worth.
  public let sessionToken: String?
  /// The bytes of the signature.
  let signature: [UInt8]

  /// The signature in hex.
  public var signatureText: String { Hex.string(signature) }
}

extension SignatureParameters {
  /// `AKID/20150830/us-east-1/service/aws4_request`, without the region for SigV4A.
  static func credential(
    _ text: [UInt8], _ algorithm: SigningAlgorithm
  ) throws(SigV4Error) -> (accessKeyID: String, scope: CredentialScope) {
    let shown = String(decoding: text, as: UTF8.self)
    let parts = shown.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == (algorithm == .hmacSHA256 ? 5 : 4) else { throw .credentialMalformed(shown) }
    guard parts[parts.count - 1] == CredentialScope.termination else {
      throw .scopeTermination(parts[parts.count - 1])
    }
    try Credentials.check(accessKeyID: parts[0])
    guard parts[1].utf8.count == 8, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw .credentialMalformed(shown)
    }
    return (
      parts[0],
      try CredentialScope(
        day: parts[1], region: algorithm == .hmacSHA256 ? parts[2] : nil, service: parts[parts.count - 2])
    )
  }

  /// `host;x-amz-date`: in lower case, sorted, each once.
  static func signedHeaders(_ text: [UInt8]) throws(SigV4Error) -> [String] {
    let shown = String(decoding: text, as: UTF8.self)
    let names = shown.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
    guard names.count <= 256 else { throw .signedHeadersMalformed(shown) }
    for (index, name) in names.enumerated() {
      guard !name.isEmpty, HeaderField.isToken(name.utf8.span),
        !name.utf8.contains(where: { $0.lowercased != $0 })
      else { throw .signedHeadersMalformed(shown) }
      // Swift compares texts of ASCII by their bytes.
      guard index == 0 || names[index - 1].utf8.lexicographicallyPrecedes(name.utf8) else {
        throw .signedHeadersMalformed(shown)
      }
    }
    guard names.contains("host") else { throw .headerUnsigned("host") }
    return names
  }

  static func signature(_ text: [UInt8], _ algorithm: SigningAlgorithm) throws(SigV4Error) -> [UInt8] {
    // Lower case, as all signers write it: one signature has one form.
    let isHex = text.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    let sizes = algorithm == .hmacSHA256 ? 64...64 : 16...144
    guard isHex, sizes.contains(text.count), text.count % 2 == 0,
      let bytes = try? Hex.decode(String(decoding: text, as: UTF8.self))
    else { throw .signatureMalformed(length: text.count) }
    return bytes
  }

  static func regionSet(_ text: [UInt8]) throws(SigV4Error) -> [String] {
    let shown = String(decoding: text, as: UTF8.self)
    let regions = shown.split(separator: ",", omittingEmptySubsequences: false).map { part in
      String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    guard regions.count <= 64 else { throw .regionSetMalformed(shown) }
    for region in regions where region != "*" {
      let name = region.hasSuffix("*") ? String(region.dropLast()) : region
      do { try CredentialScope.check(name, "region") } catch { throw .regionSetMalformed(shown) }
    }
    return regions
  }
}
