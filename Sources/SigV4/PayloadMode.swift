public import TokenSecurityEncodings

/// What `X-Amz-Content-Sha256` says where it is not a hash.
public enum PayloadMode: ExactString, Sendable, Hashable, CaseIterable {
  /// Nothing is said of the body.
  case unsigned = "UNSIGNED-PAYLOAD"
  /// Every chunk carries a signature.
  case chunks = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"
  /// Every chunk carries a signature, and so do the trailers behind them.
  case chunksWithTrailer = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"
  /// No chunk carries a signature; a checksum follows behind them.
  case unsignedChunksWithTrailer = "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
  /// Every event carries a signature.
  case events = "STREAMING-AWS4-HMAC-SHA256-EVENTS"
  /// The same with SigV4A.
  case ecdsaChunks = "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD"
  /// The same with SigV4A.
  case ecdsaChunksWithTrailer = "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD-TRAILER"
  /// The same with SigV4A.
  case ecdsaEvents = "STREAMING-AWS4-ECDSA-P256-SHA256-EVENTS"

  static func events(_ algorithm: SigningAlgorithm) -> PayloadMode {
    algorithm == .hmacSHA256 ? .events : .ecdsaEvents
  }

  /// The algorithm that the chunks or events are signed with; nil where they are not.
  var algorithm: SigningAlgorithm? {
    switch self {
    case .unsigned, .unsignedChunksWithTrailer: nil
    case .chunks, .chunksWithTrailer, .events: .hmacSHA256
    case .ecdsaChunks, .ecdsaChunksWithTrailer, .ecdsaEvents: .ecdsaP256SHA256
    }
  }

  var isChunked: Bool {
    switch self {
    case .unsigned, .events, .ecdsaEvents: false
    case .chunks, .chunksWithTrailer, .unsignedChunksWithTrailer, .ecdsaChunks, .ecdsaChunksWithTrailer: true
    }
  }

  var hasTrailer: Bool {
    switch self {
    case .chunksWithTrailer, .unsignedChunksWithTrailer, .ecdsaChunksWithTrailer: true
    case .unsigned, .chunks, .events, .ecdsaChunks, .ecdsaEvents: false
    }
  }
}
