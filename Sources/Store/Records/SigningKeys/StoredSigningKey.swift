public import TokenLifetime
internal import TokenSecurityBase

/// A stored signing key.
public struct StoredSigningKey: Sendable, Hashable {
  /// The key's id (`kid`).
  public let keyID: String
  /// When it was first published.
  public let published: Timestamp
  /// When it begins to sign.
  public var signsFrom: Timestamp
  /// The sealed private key.
  public let sealed: [UInt8]

  /// Makes a key from its parts.
  public init(keyID: String, published: Timestamp, signsFrom: Timestamp, sealed: [UInt8]) {
    self.keyID = keyID
    self.published = published
    self.signsFrom = signsFrom
    self.sealed = sealed
  }
}
