public import TokenSecurityEncodings

/// A way in which a signature binds a body.
public enum PayloadBinding: ExactString, Sendable, Hashable, CaseIterable {
  /// By its hash.
  case hash
  /// Chunk by chunk.
  case signedChunks
  /// Event by event.
  case signedEvents
  /// By a checksum that nobody signed: whoever can change the body can change it, too. Only over TLS.
  case unsignedChecksum
  /// Not at all. Only over TLS.
  case nothing
}
