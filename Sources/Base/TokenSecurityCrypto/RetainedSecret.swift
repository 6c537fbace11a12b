/// A secret that several values share. It is wiped when the last of them ends.
package final class RetainedSecret: Sendable {
  /// The secret.
  package let bytes: SecretBytes

  /// Keeps a secret.
  package init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

  /// Keeps a copy of a secret.
  package init(copying bytes: borrowing SecretBytes) { self.bytes = bytes.clone() }

  /// Compares in constant time.
  package func isEqual(to other: RetainedSecret) -> Bool {
    self === other || bytes.isEqual(to: other.bytes)
  }
}
