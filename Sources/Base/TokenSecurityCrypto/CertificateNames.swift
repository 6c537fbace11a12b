internal import CTokenSecurityOpenSSL

/// The names of a certificate (RFC 5280 section 4.1.2).
package struct CertificateNames {
  package let issuer: DistinguishedName
  package let subject: DistinguishedName
  /// True if issuer and subject are the same and the certificate's own key verifies its signature, or libcrypto cannot decide.
  package let isSelfSigned: Bool

  /// The names of a certificate in DER; nil if `der` is none.
  package init?(_ der: [UInt8]) {
    guard (try? KeyShape(der: der.span)) == .certificate else { return nil }
    let names = unsafe der.withUnsafeBufferPointer { buffer -> CertificateNames? in
      var input = buffer.baseAddress
      guard let certificate = unsafe d2i_X509(nil, &input, buffer.count) else { return nil }
      defer { unsafe X509_free(certificate) }
      return unsafe CertificateNames(of: certificate)
    }
    ERR_clear_error()
    guard let names else { return nil }
    self = names
  }

  private init?(of certificate: OpaquePointer) {
    guard let issuer = unsafe DistinguishedName(copying: X509_get_issuer_name(certificate)),
      let subject = unsafe DistinguishedName(copying: X509_get_subject_name(certificate))
    else { return nil }
    self.issuer = issuer
    self.subject = subject
    isSelfSigned = unsafe issuer == subject && Self.verifiesItself(certificate)
  }

  private static func verifiesItself(_ certificate: OpaquePointer) -> Bool {
    // It looks digests up by their names, which a program that starts fast has not registered.
    let digests = unsafe [EVP_sha1(), EVP_sha224(), EVP_sha256(), EVP_sha384(), EVP_sha512()]
    guard unsafe digests.allSatisfy({ unsafe EVP_add_digest($0) == 1 }) else { return true }
    return unsafe X509_self_signed(certificate, 1) != 0
  }
}

/// The name of an issuer or subject, compared as libcrypto compares names to find an issuer (RFC 5280 section 7.1): the types
/// of strings, case and repeated spaces make no difference.
@safe
package final class DistinguishedName: Hashable {
  private let pointer: OpaquePointer

  fileprivate init?(copying name: OpaquePointer?) {
    guard let name = unsafe name, let copy = unsafe X509_NAME_dup(name) else { return nil }
    unsafe pointer = unsafe copy
  }

  deinit {
    unsafe X509_NAME_free(pointer)
  }

  package static func == (one: DistinguishedName, other: DistinguishedName) -> Bool {
    unsafe X509_NAME_cmp(one.pointer, other.pointer) == 0
  }

  package func hash(into hasher: inout Hasher) {
    unsafe hasher.combine(X509_NAME_hash_ex(pointer, nil, nil, nil))
  }
}
