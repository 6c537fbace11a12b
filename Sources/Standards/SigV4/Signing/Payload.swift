internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// How a signature covers a request's body.
public enum Payload: Sendable, Hashable {
  /// The request has no body.
  case none
  /// A body of these bytes.
  case bytes([UInt8])
  /// A body with this SHA-256, 32 bytes.
  case sha256([UInt8])
  /// `UNSIGNED-PAYLOAD`: the signature does not cover the body. Only over TLS, and only when a service allows
  /// it.
  case unsigned
  /// A body that is sent in chunks, `aws-chunked`.
  case chunks(ChunkLayout)
  /// A body of signed events, `application/vnd.amazon.eventstream`.
  case events

  /// The last line of the canonical request.
  func line(_ algorithm: SigningAlgorithm) throws(SigV4Error) -> PayloadLine {
    switch self {
    case .none: return .text(StringToSign.emptyHash)
    case .bytes(let bytes): return .hash(try SigV4Error.digest(bytes.span))
    case .sha256(let hash):
      guard hash.count == 32 else { throw .payloadHashLength(hash.count) }
      return .text(Hex.string(hash))
    case .unsigned: return .text(PayloadMode.unsigned.name)
    case .chunks(let layout): return .text(layout.mode(algorithm).name)
    case .events: return .text(PayloadMode.events(algorithm).name)
    }
  }

  /// Whether a header must declare the last line of the canonical request, because the receiver cannot
  /// compute it.
  var mustBeDeclared: Bool {
    switch self {
    case .none, .bytes, .sha256: false
    case .unsigned, .chunks, .events: true
    }
  }
}
