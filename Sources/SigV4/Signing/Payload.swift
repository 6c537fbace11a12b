internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// What a signature says of a request's body.
public enum Payload: Sendable, Hashable {
  /// There is no body.
  case none
  /// These bytes, hashed here.
  case bytes([UInt8])
  /// A body of this SHA-256, 32 bytes.
  case sha256([UInt8])
  /// `UNSIGNED-PAYLOAD`: the signature says nothing of the body. Only over TLS, and only where a service allows it.
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

  /// True where the receiver cannot know the last line unless a header says it.
  var mustBeDeclared: Bool {
    switch self {
    case .none, .bytes, .sha256: false
    case .unsigned, .chunks, .events: true
    }
  }
}
