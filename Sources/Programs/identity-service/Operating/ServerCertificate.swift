internal import NIOSSL
internal import TokenSecurityBase

extension ServiceConfiguration {
  /// `https` with a certificate, otherwise `http`.
  var scheme: String { self.certificate == nil ? "http" : "https" }

  /// A certificate chain with its key, ready for connections.
  struct TLSFiles: Sendable {
    let context: NIOSSLContext
    /// The earliest end of a certificate of the chain, in seconds since 1970.
    let end: Double
  }

  /// Loads the certificate and key for TLS; nil without a certificate.
  ///
  /// - Throws: `OperatingError` with the setting, the file and the reason.
  func tlsFiles() throws -> TLSFiles? {
    guard let certificate = self.certificate, let privateKey = self.privateKey else { return nil }
    try TextFile.checkReadable(certificate, setting: "certificate")
    guard let chain = try? NIOSSLCertificate.fromPEMFile(certificate), !chain.isEmpty else {
      throw OperatingError("certificate: \(certificate) is not a PEM file with certificates")
    }
    try TextFile.checkReadable(privateKey, setting: "private-key")
    guard let key = try? NIOSSLPrivateKey(file: privateKey, format: .pem) else {
      throw OperatingError("private-key: \(privateKey) is not a PEM file with a private key")
    }
    var tls = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    tls.minimumTLSVersion = .tlsv12
    do {
      let end = chain.map { Double($0.notValidAfter) }.min() ?? 0
      return TLSFiles(context: try NIOSSLContext(configuration: tls), end: end)
    } catch {
      throw OperatingError("private-key: \(privateKey) does not belong to the certificate \(certificate)")
    }
  }

  /// Checks the file of trusted roots.
  func checkAuthorities() throws {
    guard let authorities = self.authorities else { return }
    try TextFile.checkReadable(authorities, setting: "authorities")
    guard let roots = try? NIOSSLCertificate.fromPEMFile(authorities), !roots.isEmpty else {
      throw OperatingError("authorities: \(authorities) is not a PEM file with certificates")
    }
  }
}
