/// The purposes for which a service seals data. The raw values number the purposes from 0 on.
package protocol SealingPurpose: CaseIterable, RawRepresentable<Int>, Sendable {
  /// The purpose's `info` of HKDF. It never changes: stored secrets are sealed with the key that it gives.
  var info: StaticString { get }
}

/// Seals stored secrets with AES-256-GCM.
///
/// Each purpose has a key of its own, derived from a master key (HKDF, RFC 5869): a secret that was sealed for
/// one purpose cannot be opened for another one.
package struct PurposeCiphers<Purpose: SealingPurpose>: Sendable {
  /// A cipher that an array can hold.
  private final class Entry: Sendable {
    let cipher: AuthenticatedCipher

    init(_ key: borrowing SecretBytes) throws(CryptoError) { cipher = try AuthenticatedCipher(key: key) }
  }

  private let entries: [Entry]

  /// Derives the keys.
  ///
  /// - Parameter master: a random master key of 32 bytes.
  /// - Throws: `wrongLength` for another length, `library`.
  package init(master: borrowing SecretBytes) throws(CryptoError) {
    guard master.count == AuthenticatedCipher.keySize else {
      throw .wrongLength(expected: AuthenticatedCipher.keySize, actual: master.count)
    }
    let none: [UInt8] = []
    var entries: [Entry] = []
    for purpose in Purpose.allCases {
      entries.append(
        try Entry(
          KeyDerivation.hkdf(master, salt: none.span, info: purpose.info, count: AuthenticatedCipher.keySize))
      )
    }
    self.entries = entries
  }

  /// Seals `secret` and authenticates `name`, which must be the same when it is opened.
  package func seal(
    _ secret: borrowing SecretBytes, for purpose: Purpose, name: String
  ) throws(CryptoError) -> [UInt8] {
    try entries[purpose.rawValue].cipher.seal(secret, context: name.utf8.span)
  }

  /// Opens a sealed secret; nil where the authentication fails.
  package func open(
    _ sealed: borrowing Span<UInt8>, for purpose: Purpose, name: String
  ) throws(CryptoError) -> SecretBytes? {
    try entries[purpose.rawValue].cipher.open(sealed, context: name.utf8.span)
  }
}
