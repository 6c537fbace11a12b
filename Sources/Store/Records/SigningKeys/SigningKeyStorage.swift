public import JOSE
public import TokenSecurityCrypto

/// Where a ring's keys are stored, how they sign, and what seals them.
public protocol SigningKeyStorage: Sendable {
  /// The error of the ring's calls.
  associatedtype Failure: SigningKeyFailure

  /// The algorithm of the signatures. It is not one with a shared secret.
  var algorithm: Algorithm { get }
  /// The header's `typ`; nil leaves it out.
  var tokenType: String? { get }

  /// Returns the id of a new key. It does not begin with a hyphen, so that commands do not read it as an option.
  ///
  /// - Parameter thumbprint: the key's thumbprint (RFC 7638).
  /// - Returns: the `kid`.
  func keyID(thumbprint: String) -> String

  /// Returns the ring's keys in signing order.
  ///
  /// - Parameter rows: the rows of the store.
  /// - Returns: the keys.
  /// - Throws: the store's failure.
  func keys(in rows: ReadTransaction<Failure>) throws(Failure) -> [StoredSigningKey]

  /// Returns true where a key is published: it was neither revoked nor removed.
  ///
  /// - Parameters:
  ///   - keyID: the key's id.
  ///   - rows: the rows of the store.
  /// - Returns: whether it is published.
  /// - Throws: the store's failure.
  func hasKey(_ keyID: String, in rows: ReadTransaction<Failure>) throws(Failure) -> Bool

  /// Adds or replaces a key.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - rows: the rows of the store.
  /// - Throws: the store's failure; also where the keys' owner is gone.
  func put(_ key: StoredSigningKey, in rows: WriteTransaction<Failure>) throws(Failure)

  /// Removes a key.
  ///
  /// - Parameters:
  ///   - keyID: the key's id.
  ///   - rows: the rows of the store.
  /// - Throws: the store's failure.
  func remove(_ keyID: String, in rows: WriteTransaction<Failure>) throws(Failure)

  /// Seals a private key and authenticates its id.
  ///
  /// - Parameters:
  ///   - secret: the key's JSON.
  ///   - keyID: the key's id.
  /// - Returns: the sealed key.
  /// - Throws: the failure of the cipher.
  func seal(_ secret: borrowing SecretBytes, keyID: String) throws(Failure) -> [UInt8]

  /// Opens a sealed key.
  ///
  /// - Parameters:
  ///   - sealed: the sealed key.
  ///   - keyID: the key's id.
  /// - Returns: the key's JSON; nil where the authentication fails.
  /// - Throws: the failure of the cipher.
  func open(_ sealed: [UInt8], keyID: String) throws(Failure) -> SecretBytes?
}

/// An error that rings of signing keys throw.
public protocol SigningKeyFailure: RecordStoreFailure {
  /// Makes the error for what a ring refuses.
  ///
  /// - Parameter fault: what is wrong.
  init(_ fault: SigningKeyError)
}

/// A fault of the keys of a ring.
@nonexhaustive public enum SigningKeyError: Sendable {
  /// There is no key.
  case missing
  /// Another master key sealed the key of this id.
  case notOpened(keyID: String)
  /// The notice of a new key is negative, or longer than the period.
  case notice(Duration, longest: Duration)
  /// The maker failed, or returned a key that it had returned before.
  case notMade(reason: String)
  /// A key cannot be read or used, or is not of the ring's kind.
  case token(JOSEError)
}
