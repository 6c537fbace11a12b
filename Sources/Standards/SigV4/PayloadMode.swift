public import TokenSecurityBase

/// The values of `X-Amz-Content-Sha256` that are not a hash.
public enum PayloadMode: ExactString, Sendable, Hashable, CaseIterable {
  /// The signature does not cover the body.
  case unsigned = "UNSIGNED-PAYLOAD"
  /// Every chunk has a signature.
  case chunks = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"
  /// Every chunk and the trailers have a signature.
  case chunksWithTrailer = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"
  /// Chunks without signatures, and a checksum in a trailer.
  case unsignedChunksWithTrailer = "STREAMING-UNSIGNED-PAYLOAD-TRAILER"
  /// Every event has a signature.
  case events = "STREAMING-AWS4-HMAC-SHA256-EVENTS"
  /// Every chunk has a signature of SigV4A.
  case ecdsaChunks = "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD"
  /// Every chunk and the trailers have a signature of SigV4A.
  case ecdsaChunksWithTrailer = "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD-TRAILER"
  /// Every event has a signature of SigV4A.
  case ecdsaEvents = "STREAMING-AWS4-ECDSA-P256-SHA256-EVENTS"

  static func events(_ algorithm: SigningAlgorithm) -> PayloadMode {
    algorithm == .hmacSHA256 ? .events : .ecdsaEvents
  }

  /// The algorithm of the signatures of chunks or events; nil when these have no signatures.
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
