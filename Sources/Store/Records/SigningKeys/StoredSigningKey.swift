public import TokenLifetime
internal import TokenSecurityBase

/// A stored signing key.
public struct StoredSigningKey: Sendable, Hashable {
  /// The key's id (`kid`).
  public internal(set) var keyID: String
  /// When it was first published.
  public internal(set) var published: Timestamp
  /// When it begins to sign.
  public var signsFrom: Timestamp
  /// The sealed private key.
  public package(set) var sealed: [UInt8]

  /// Makes a key from its parts.
  public init(keyID: String, published: Timestamp, signsFrom: Timestamp, sealed: [UInt8]) {
    self.keyID = keyID
    self.published = published
    self.signsFrom = signsFrom
    self.sealed = sealed
  }
}

extension StoredSigningKey: StoredFields {
  package init() {
    self.init(keyID: "", published: Timestamp(seconds: 0), signsFrom: Timestamp(seconds: 0), sealed: [])
  }

  package mutating func fields(_ f: inout RowFields) {
    f.text("id", &keyID)
    f.time("published", &published)
    f.time("signsFrom", &signsFrom)
    f.bytes("sealed", &sealed)
  }
}
