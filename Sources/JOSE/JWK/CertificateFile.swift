internal import TokenSecurityCrypto

/// A PEM file (RFC 7468) of certificates, which an HTTP client trusts as roots.
package enum CertificateFile {
  /// The most bytes. The certificates of all public authorities have some hundred thousand.
  package static let limit = 16 << 20

  /// Why a text cannot be used: it has no certificate, or one that cannot be read; nil if it can be. Clients may read other
  /// blocks, too, such as private keys, and find them damaged.
  package static func problem(_ text: [UInt8]) -> String? {
    // libcrypto skips it, and the libraries of clients overlook the certificate after it.
    guard !text.starts(with: [0xEF, 0xBB, 0xBF]) else { return "it begins with a byte order mark" }
    let (number, isWhole) = X509Certificate.count(inPEM: text.span)
    guard isWhole else { return "its certificate number \(number + 1) cannot be read" }
    return number > 0 ? nil : "it has no certificate in PEM"
  }
}
