internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// A PEM file (RFC 7468) of certificates, which an HTTP client trusts as roots.
package enum CertificateFile {
  /// The most bytes. The certificates of all public authorities have some hundred thousand.
  package static let limit = 16 << 20

  /// Why a text cannot be used: it has no certificate, or a block that is none; nil if it can be.
  ///
  /// Blocks with other labels, keys for instance, are ignored as by libcrypto.
  package static func problem(_ text: [UInt8]) -> String? {
    var blocks = PEMBlocks(text)
    var count = 0
    do throws(JOSEError) {
      while let block = try blocks.next() {
        guard block.label == "CERTIFICATE" || block.label == "X509 CERTIFICATE" else { continue }
        count += 1
        let isWellFormed = try blocks.decode(block).withBytes { X509Certificate.isWellFormed($0) }
        guard isWellFormed else { return "its certificate number \(count) cannot be read" }
      }
    } catch {
      return "it cannot be read: \(error)"
    }
    return count > 0 ? nil : "it has no certificate in PEM"
  }
}
