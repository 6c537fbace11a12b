internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Reading a key's certificates (RFC 7517 section 4.7).
extension JWKMembers {
  /// The certificates of `x5c`, in standard base64. Malformed ones count as absent if the form is tolerant: nothing here
  /// relies on them.
  ///
  /// - Throws: `certificateMismatch` if the first certificate is for another key than `key`.
  mutating func certificates(of key: PublicKey?) throws(JOSEError) -> [[UInt8]] {
    guard let place = try arrayPlace("x5c") else { return [] }
    let elements = document.kind(at: place) == .array ? document.elements(of: place) : []
    let decoded = elements.map { element in
      document.string(at: element).flatMap { try? Base64.decode($0) }
    }
    let certificates = decoded.compactMap { $0 }
    if let first = decoded.first ?? nil, try Self.isCertificate(first, of: key),
      certificates.count == decoded.count
    {
      return certificates
    }
    let areTexts = document.kind(at: place) == .array && document.allElements(of: place, are: .string)
    try warn(
      .malformedCertificates, orThrow: areTexts ? .certificateMismatch : .keyMemberInvalid(name: "x5c"))
    return []
  }

  /// True for a certificate of `key`, false for bytes that are none or cannot be compared.
  private static func isCertificate(_ der: [UInt8], of key: PublicKey?) throws(JOSEError) -> Bool {
    do throws(CryptoError) {
      guard let key, try KeyDER.certificate(der).components == key.components else {
        throw CryptoError.keyPairMismatch
      }
      return true
    } catch {
      switch error {
      // RSA keys that are for PSS alone, and curves given by their numbers, can be those of `key`.
      case .malformedKey, .trailingData, .notDER, .onlyForPSS, .explicitCurve: return false
      default: throw .certificateMismatch
      }
    }
  }
}
