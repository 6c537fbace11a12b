internal import TokenSecurityEncodings
internal import NIOSSL

extension ServiceConfiguration {
  /// `https` where there is a certificate.
  var scheme: String { certificate == nil ? "http" : "https" }

  /// What TLS is served with; nil without a certificate.
  ///
  /// - Throws: `OperatingError` naming the setting whose file cannot be used.
  func tlsContext() throws -> NIOSSLContext? {
    guard let certificate, let privateKey else { return nil }
    guard let chain = try? NIOSSLCertificate.fromPEMFile(certificate), !chain.isEmpty else {
      throw OperatingError("certificate: \(certificate) is not a PEM file with certificates")
    }
    guard let key = try? NIOSSLPrivateKey(file: privateKey, format: .pem) else {
      throw OperatingError("private-key: \(privateKey) is not a PEM file with a private key")
    }
    var tls = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    tls.minimumTLSVersion = .tlsv12
    do {
      return try NIOSSLContext(configuration: tls)
    } catch {
      throw OperatingError("private-key: \(privateKey) does not belong to the certificate \(certificate)")
    }
  }

  /// Checks the roots for providers' certificates.
  func checkAuthorities() throws {
    guard let authorities else { return }
    guard let roots = try? NIOSSLCertificate.fromPEMFile(authorities), !roots.isEmpty else {
      throw OperatingError("authorities: \(authorities) is not a PEM file with certificates")
    }
  }
}
