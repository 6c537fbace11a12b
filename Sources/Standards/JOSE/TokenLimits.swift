internal import TokenSecurityBase

/// Maximum sizes of tokens, in bytes of the encoded text. They are checked before any other work is done.
public struct TokenLimits: Sendable, Hashable {
  /// The whole token. Default: 16 KiB.
  public var token: Int
  /// The encoded header, at most as much as the token. Default: 8 KiB.
  public var header: Int
  /// The encoded payload. Default: as much as the token.
  public var payload: Int
  /// The encoded signature. Default: 2 KiB. The longest possible, of an RSA key of 8,192 bits, has 1,366
  /// bytes.
  public var signature: Int
  /// Nested arrays and objects. Default: 16.
  public var depth: Int

  /// Limits, by default those above.
  ///
  /// - Parameters:
  ///   - token: the whole token.
  ///   - header: the encoded header.
  ///   - payload: the encoded payload.
  ///   - signature: the encoded signature.
  ///   - depth: nested arrays and objects.
  public init(
    token: Int = 16_384, header: Int? = nil, payload: Int? = nil, signature: Int = 2_048,
    depth: Int = 16
  ) {
    self.token = token
    self.header = min(header ?? 8_192, token)
    self.payload = min(payload ?? token, token)
    self.signature = min(signature, token)
    self.depth = depth
  }

  /// True if `other` allows everything that these limits allow.
  func isWithin(_ other: TokenLimits) -> Bool {
    token <= other.token && header <= other.header && payload <= other.payload
      && signature <= other.signature && depth <= other.depth
  }

  var json: JSONLimits { JSONLimits(size: token, depth: depth) }
}
