internal import CTokenSecurityOpenSSL

/// Certificates (RFC 5280).
package enum X509Certificate {
  /// How many certificates a PEM text (RFC 7468) has. Blocks with other labels and the text between blocks are ignored.
  /// Issuers, validity and purposes are not checked.
  ///
  /// - Parameter pem: the text.
  /// - Returns: the number, and whether all could be read: if not, the number of those before the first that cannot.
  package static func count(inPEM pem: borrowing Span<UInt8>) -> (number: Int, isWhole: Bool) {
    unsafe pem.withUnsafeBufferPointer { buffer in
      guard let size = Int32(exactly: buffer.count), size > 0,
        let input = unsafe BIO_new_mem_buf(buffer.baseAddress, size)
      else { return (0, true) }
      defer {
        unsafe BIO_free(input)
        ERR_clear_error()
      }
      var number = 0
      while true {
        ERR_clear_error()
        // Without the callback an encrypted block would be asked about on the terminal.
        let next = unsafe PEM_read_bio_X509_AUX(input, nil, { _, _, _, _ in -1 }, nil)
        guard let certificate = unsafe next else { break }
        unsafe X509_free(certificate)
        number += 1
      }
      let error = ERR_peek_last_error()
      return (number, ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE)
    }
  }
}
