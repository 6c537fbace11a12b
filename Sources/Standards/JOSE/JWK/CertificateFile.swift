internal import TokenSecurityCrypto

/// A PEM file (RFC 7468) of certificates, which an HTTP client trusts as roots.
package enum CertificateFile {
  /// Maximum size in bytes. The certificates of all public authorities have some hundred thousand bytes.
  package static let limit = 16 << 20

  /// Why a text cannot be used: it has no certificate, or one that cannot be read; nil if it can be. Clients may read other
  /// blocks, too, such as private keys, and find them damaged.
  package static func problem(_ text: [UInt8]) -> String? {
    // libcrypto skips it, and the libraries of clients overlook the certificate after it.
    guard !hasMarkBeforeBlock(text) else { return "it has a byte order mark before a certificate" }
    let (number, isWhole) = X509Certificate.count(inPEM: text.span)
    guard isWhole else { return "its certificate number \(number + 1) cannot be read" }
    return number > 0 ? nil : "it has no certificate in PEM"
  }

  /// The DER of the only certificate of a PEM text. The certificate itself is not read.
  ///
  /// - Throws: `pem` for another number of blocks, or blocks of another kind.
  package static func single(_ text: [UInt8]) throws(JOSEError) -> [UInt8] {
    var blocks = PEMBlocks(text)
    guard let block = try blocks.next(), block.label == "CERTIFICATE", try blocks.next() == nil else {
      throw .pem(rule: "it must be one certificate")
    }
    return try blocks.decode(block).withBytes { Array(unwipedCopy: $0) }
  }

  /// True for EF BB BF before a hyphen, with which the first line of a block begins.
  private static func hasMarkBeforeBlock(_ text: [UInt8]) -> Bool {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF, UInt8(ascii: "-")]
    return text.indices.dropLast(3).contains { index in
      text[index] == mark[0] && text[index..<(index + 4)].elementsEqual(mark)
    }
  }
}
