internal import JOSE
internal import TokenSecurityBase

extension ClientCertificateField {
  /// Why a field has no certificate.
  package enum Problem: Error {
    case missing
    case malformed
  }

  /// The SHA-256 of the certificate in a request's fields, as in `x5t#S256` (RFC 8705 section 3.1).
  package func thumbprint(in fields: RequestFields) throws(Problem) -> String {
    let values = fields.all(name)
    guard let value = values.first, !value.isEmpty else { throw .missing }
    guard values.count == 1, value.utf8.count <= Self.limit else { throw .malformed }
    switch form {
    case .escapedPEM:
      guard PercentEncoding.firstMalformed(value.utf8.span) == nil,
        let certificate = try? CertificateFile.single(PercentEncoding.decode(value.utf8.span))
      else { throw .malformed }
      return try Self.thumbprint(of: certificate)
    case .clientCert:
      let bytes = Array(value.utf8)
      let colon = UInt8(ascii: ":")
      guard bytes.count > 2, bytes.first == colon, bytes.last == colon,
        let certificate = try? Base64.decode(
          String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self))
      else { throw .malformed }
      return try Self.thumbprint(of: certificate)
    case .forwarded:
      guard let hash = Self.hash(of: Array(value.utf8)) else { throw .malformed }
      return Base64URL.string(hash)
    }
  }

  /// Maximum size of a field in bytes: a certificate of 8 KiB whose PEM text is percent-encoded.
  private static let limit = 16_384

  private static func thumbprint(of certificate: [UInt8]) throws(Problem) -> String {
    guard !certificate.isEmpty, let thumbprint = try? CertificateBinding.thumbprint(of: certificate) else {
      throw .malformed
    }
    return thumbprint
  }

  /// The 32 bytes of the only `Hash` of a single element. Several elements are of several proxies, and the first of them
  /// may be the client's own text.
  private static func hash(of element: [UInt8]) -> [UInt8]? {
    var hashes: [[UInt8]] = []
    var pair: [UInt8] = []
    var isQuoted = false
    var isEscaped = false
    for byte in element + [UInt8(ascii: ";")] {
      switch byte {
      case UInt8(ascii: ",") where !isQuoted: return nil
      case UInt8(ascii: ";") where !isQuoted:
        if let value = hashValue(pair) { hashes.append(value) }
        pair = []
        continue
      case UInt8(ascii: "\"") where !isEscaped: isQuoted.toggle()
      default: break
      }
      isEscaped = byte == UInt8(ascii: "\\") && isQuoted && !isEscaped
      pair.append(byte)
    }
    guard !isQuoted, hashes.count == 1, let digits = hashes.first, digits.count == 64,
      let hash = try? Hex.decode(String(decoding: digits, as: UTF8.self))
    else { return nil }
    return hash
  }

  private static func hashValue(_ pair: [UInt8]) -> [UInt8]? {
    let name = Array("hash=".utf8)
    guard pair.count >= name.count, pair.prefix(name.count).map(\.lowercasedASCII) == name else { return nil }
    return Array(pair.dropFirst(name.count))
  }
}
