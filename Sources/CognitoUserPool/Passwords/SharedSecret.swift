package import ServiceOperations
package import TokenSecurityCrypto

/// A password that several computations read. It is wiped when the last of them ends.
package final class SharedSecret: Sendable {
  package let bytes: SecretBytes

  /// A copy of a secret.
  package init(_ secret: borrowing SecretBytes) { bytes = secret.clone() }

  /// A copy of a member of a request.
  package init(_ text: SecretText) { bytes = text.withBytes { SecretBytes($0) } }
}
