public import TokenSecurityBase

/// The field in which a proxy passes on the client's certificate, after it has verified it.
///
/// Who may set the field decides who the client is: the proxy must replace what the client sent.
public struct ClientCertificateField: Sendable, Hashable {
  /// The field's name.
  public let name: String
  /// How the field's value is written.
  public let form: Form
  /// Whether a token must be bound to a certificate (`x5t#S256`).
  public let isRequired: Bool

  /// How a proxy writes a certificate.
  public enum Form: ExactString, Sendable, Hashable, CaseIterable {
    /// A PEM text with percent-encoding: `$ssl_client_escaped_cert` of nginx.
    case escapedPEM = "escaped-pem"
    /// `X-Forwarded-Client-Cert` of Envoy, of one proxy: `Hash` is the SHA-256 of the certificate.
    case forwarded = "xfcc"
    /// `Client-Cert` (RFC 9440 section 2.2): a structured field of one byte sequence.
    case clientCert = "client-cert"
  }

  init(_ object: inout DocumentObject) throws(PolicyDocumentError) {
    guard let name = try object.fieldName("header") else { throw object.refused("header", "is required") }
    self.name = name
    let text = try object.requiredText("form")
    guard let form = Form(rawValue: ExactString(text)) else {
      throw object.refused(
        "form", "is \(text.quoted) and must be \(Form.allCases.map(\.rawValue.text).quotedList)")
    }
    self.form = form
    isRequired = try object.bool("required")
    try object.refuseOthers()
  }
}
