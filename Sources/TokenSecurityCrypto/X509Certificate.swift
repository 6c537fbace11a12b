internal import CTokenSecurityOpenSSL

/// Certificates (RFC 5280).
package enum X509Certificate {
  /// True for one certificate in DER. Its issuer, validity and purposes are not checked.
  package static func isWellFormed(_ der: borrowing Span<UInt8>) -> Bool {
    unsafe der.withUnsafeBufferPointer { buffer in
      var input = buffer.baseAddress
      guard let start = unsafe input, let certificate = unsafe d2i_X509(nil, &input, buffer.count) else {
        ERR_clear_error()
        return false
      }
      unsafe X509_free(certificate)
      return unsafe input == start + buffer.count
    }
  }
}
