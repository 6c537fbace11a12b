public import Records
public import TokenSecurityCrypto

/// The keys that sign identity pools' tokens.
public typealias IdentityKeyRing = SigningKeyRing<IdentityKeyStorage>

/// Where the keys of identity pools' tokens are stored, and what seals them. They sign with RS512.
public struct IdentityKeyStorage: SigningKeyStorage {
  private let sealing: SealingKeys
  private let region: String

  init(sealing: SealingKeys, region: String) {
    self.sealing = sealing
    self.region = region
  }

  /// RS512.
  public var algorithm: Algorithm { .rs512 }
  /// `JWS`.
  public var tokenType: String? { "JWS" }

  /// The region, a hyphen and twelve characters of the thumbprint.
  public func keyID(thumbprint: String) -> String { "\(region)-\(thumbprint.prefix(12))" }

  /// All signing keys, in signing order.
  public func keys(in rows: ReadTransaction<IdentityError>) throws(IdentityError) -> [StoredSigningKey] {
    try rows.signingKeys()
  }

  /// Whether a key is published.
  public func hasKey(_ keyID: String, in rows: ReadTransaction<IdentityError>) throws(IdentityError) -> Bool {
    try rows.hasSigningKey(keyID)
  }

  /// Adds or replaces a key.
  public func put(_ key: StoredSigningKey, in rows: WriteTransaction<IdentityError>) throws(IdentityError) {
    try rows.put(key)
  }

  /// Removes a key.
  public func remove(_ keyID: String, in rows: WriteTransaction<IdentityError>) throws(IdentityError) {
    try rows.removeSigningKey(keyID)
  }

  /// Seals a private key.
  public func seal(_ secret: borrowing SecretBytes, keyID: String) throws(IdentityError) -> [UInt8] {
    try sealing.seal(secret, for: .signingKey, name: keyID)
  }

  /// Opens a private key.
  public func open(_ sealed: [UInt8], keyID: String) throws(IdentityError) -> SecretBytes? {
    try sealing.open(sealed.span, for: .signingKey, name: keyID)
  }
}

extension IdentityError: SigningKeyFailure {
  /// Makes the error for what a ring refuses.
  ///
  /// - Parameter fault: what is wrong.
  public init(_ fault: SigningKeyError) {
    self =
      switch fault {
      case .missing: .cryptoFailed("there is no signing key")
      case .notOpened(let keyID):
        .storeFailed("the signing key \(keyID) does not open: another master key sealed it")
      case .notice(let notice, let longest):
        .parameterRange(
          "the notice", value: notice.wholeSeconds, allowed: 0...max(0, longest.wholeSeconds))
      case .notMade(let reason): .cryptoFailed("no signing key was made: \(reason)")
      case .token(let error): IdentityError(error)
      }
  }
}
