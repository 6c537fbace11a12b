internal import TokenSecurityEncodings

/// How much of a stranger's text is looked at. All sizes are bytes of the encoded text, judged before
/// any other work is done.
public struct TokenLimits: Sendable, Hashable {
  /// The whole token; 16 KiB unless said otherwise.
  public var token: Int
  /// The encoded header; 8 KiB unless said otherwise, and never more than the token.
  public var header: Int
  /// The encoded payload; as much as the token unless said otherwise.
  public var payload: Int
  /// The encoded signature; 2 KiB unless said otherwise. The longest known here, RSA with 8,192 bits, has 1,366.
  public var signature: Int
  /// Arrays and objects inside one another; 16 unless said otherwise.
  public var depth: Int

  /// Limits with their defaults.
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

  /// True where everything that these limits allow is allowed by `other`.
  func isWithin(_ other: TokenLimits) -> Bool {
    token <= other.token && header <= other.header && payload <= other.payload
      && signature <= other.signature && depth <= other.depth
  }

  var json: JSONLimits { JSONLimits(size: token, depth: depth) }
}
