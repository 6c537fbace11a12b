package import ServiceOperations
package import TokenSecurityCrypto

extension RetainedSecret {
  /// Keeps a copy of a member of a request.
  package convenience init(_ text: SecretText) { self.init(text.withBytes { SecretBytes($0) }) }
}
